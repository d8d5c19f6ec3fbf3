import * as z from 'zod'
import { plainOutput } from '../../util/words.ts'
import type { TaskAgent, TaskRubric, TaskRubrics, TaskSandbox, TaskTests, TaskWork } from '../dataset/dataset.ts'

/** How many items of a list are kept, and how many characters of a text. */
export interface ResultLimits {
  readonly tests: number
  readonly rubrics: number
  readonly text: number
}

type Results = Omit<TaskWork, 'diff' | 'logs'>

/** The content of `evaluation_results.json`. The run could change it: unexpected parts are skipped. */
export function resultsIn(text: string, limits: ResultLimits): Results | null {
  const parsed = file.safeParse(jsonOrNull(text))
  if (!parsed.success) return null
  const { total_score, passed, problem, rewards, custom_metrics, test_results } = parsed.data
  return {
    score: total_score,
    passed,
    problem: problem === null ? null : shortened(problem, limits.text),
    agent: agentOf(parsed.data),
    numbers: Object.fromEntries(Object.entries({ ...rewards, ...custom_metrics }).slice(0, mostNumbers)),
    tests: testsOf(test_results, limits),
    rubrics: rubricsOf(parsed.data, limits),
    sandbox: sandboxOf(parsed.data),
  }
}

const mostNumbers = 100
const mostNotes = 40
const longestName = 300

const text = z.string().catch('')
const textOrNull = z.string().nullable().catch(null)
const number = z.number().nullable().catch(null)
const texts = z.lazy(() => z.array(z.string()).catch([]))
const numbers = z.lazy(() =>
  z
    .record(z.string(), z.unknown())
    .catch({})
    .transform(all =>
      Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
      ),
    ),
)

const test = z.lazy(() =>
  z.object({ success: z.boolean().catch(false), output: text }).catch({ success: false, output: '' }),
)
const testedRubric = z.lazy(() =>
  z
    .object({ criterion: text, weight: number, score: number, test_count: number, tests_passed: number })
    .catch({ criterion: '', weight: null, score: null, test_count: null, tests_passed: null }),
)
const judgement = z.lazy(() =>
  z.object({ judge: text, score: number, reasoning: text }).catch({ judge: '', score: null, reasoning: '' }),
)
const judgedRubric = z.lazy(() =>
  z
    .object({
      rubric_id: text,
      weight: number,
      score: number,
      spread: number,
      judgements: z.array(judgement).catch([]),
    })
    .catch({ rubric_id: '', weight: null, score: null, spread: null, judgements: [] }),
)

const file = z.lazy(() =>
  z.object({
    total_score: number,
    passed: z.boolean().nullable().catch(null),
    problem: textOrNull,
    rewards: numbers,
    custom_metrics: numbers,
    test_results: z.record(z.string(), test).catch({}),
    evaluation: z.object({ rubrics: z.record(z.string(), testedRubric).catch({}) }).catch({ rubrics: {} }),
    lm_evaluation: z
      .object({ weighted_score: number, agreement: number, rubric_scores: z.array(judgedRubric).catch([]) })
      .nullable()
      .catch(null),
    agent_metrics: z
      .object({
        ...{ agent: text, model: textOrNull, ended: text, exit_code: number },
        ...{ tokens_total: number, calls: number, tool_calls_total: number },
        ...{ time_taken_seconds: number, money_spent_usd: number },
      })
      .nullable()
      .catch(null),
    sandbox: z
      .object({
        ...{ backend: text, version: text, isolation: text, network: text, provided: texts, notes: texts },
        enforces: z.record(z.string(), z.unknown()).catch({}),
      })
      .nullable()
      .catch(null),
  }),
)
type File = z.output<typeof file>

function jsonOrNull(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

function agentOf({ agent_metrics: agent }: File): TaskAgent | null {
  if (agent === null) return null
  return {
    name: name(agent.agent),
    model: agent.model === null ? null : name(agent.model),
    ended: name(agent.ended),
    exit_code: agent.exit_code,
    wall_s: agent.time_taken_seconds,
    calls: agent.calls,
    tokens: agent.tokens_total,
    tool_calls: agent.tool_calls_total,
    cost_usd: agent.money_spent_usd,
  }
}

function testsOf(results: File['test_results'], limits: ResultLimits): TaskTests {
  const all = Object.entries(results)
  const failed = all.filter(([, { success }]) => !success)
  const passed = all.filter(([, { success }]) => success)
  return {
    total: all.length,
    passed: passed.length,
    kept: [...failed, ...passed].slice(0, limits.tests).map(([title, { success, output }]) => ({
      name: name(title),
      passed: success,
      // The output of a passed test is not interesting.
      output: success ? '' : shortened(output.trimEnd(), limits.text),
    })),
  }
}

function rubricsOf({ evaluation, lm_evaluation }: File, limits: ResultLimits): TaskRubrics {
  const judged = new Map(lm_evaluation?.rubric_scores.map(rubric => [rubric.rubric_id, rubric]))
  const tested = new Map(Object.entries(evaluation.rubrics))
  const ids = [...new Set([...tested.keys(), ...judged.keys()])]
  return {
    total: ids.length,
    kept: ids.slice(0, limits.rubrics).map(id => rubricOf(id, tested.get(id), judged.get(id), limits)),
    weighted_score: lm_evaluation?.weighted_score ?? null,
    agreement: lm_evaluation?.agreement ?? null,
  }
}

const mostJudgements = 15

function rubricOf(
  id: string,
  tested: z.output<typeof testedRubric> | undefined,
  judged: z.output<typeof judgedRubric> | undefined,
  limits: ResultLimits,
): TaskRubric {
  return {
    id: name(id),
    criterion: shortened(tested?.criterion ?? '', limits.text),
    weight: tested?.weight ?? judged?.weight ?? null,
    score: tested?.score ?? null,
    tests: tested?.test_count ?? 0,
    tests_passed: tested?.tests_passed ?? 0,
    judged: judged?.score ?? null,
    spread: judged?.spread ?? 0,
    judgements: (judged?.judgements ?? []).slice(0, mostJudgements).map(({ judge, score, reasoning }) => ({
      judge: name(judge),
      score,
      reason: shortened(reasoning, limits.text),
    })),
  }
}

function sandboxOf({ sandbox }: File): TaskSandbox | null {
  if (sandbox === null) return null
  const listed = (all: readonly string[]) => all.slice(0, mostNotes).map(one => shortened(one, longestName))
  return {
    backend: name(sandbox.backend),
    version: name(sandbox.version),
    isolation: name(sandbox.isolation),
    network: name(sandbox.network),
    unenforced: Object.keys(sandbox.enforces)
      .filter(limit => sandbox.enforces[limit] === false)
      .slice(0, mostNotes)
      .map(name),
    provided: listed(sandbox.provided),
    notes: listed(sandbox.notes),
  }
}

const name = (long: string): string => shortened(long, longestName)

/** The beginning and the end: errors are often at the end. */
function shortened(long: string, most: number): string {
  if (long.length <= most) return plainOutput(long)
  const start = Math.floor(most / 3)
  const end = most - start
  return plainOutput(`${long.slice(0, start)}\n… (${long.length - most} characters left out) …\n${long.slice(-end)}`)
}
