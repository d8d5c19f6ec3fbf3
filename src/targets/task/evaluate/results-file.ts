import type { JsonObject } from '../../../util/json.ts'
import type { Task } from '../task.ts'
import type { Judgement } from './judge-rubrics.ts'
import { type RubricScore, rubricScores } from './rubric-score.ts'
import { passingScore, type TestResult } from './score.ts'

/** Everything that scoring found out about one run. */
export interface Evaluation {
  readonly task: Task
  readonly run_id: string
  /** null: the run has no score, and `problem` says why. */
  readonly score: number | null
  readonly problem: string | null
  readonly rewards: Readonly<Record<string, number>>
  readonly tests: readonly TestResult[]
  readonly judgement: Judgement | null
  readonly standard: Readonly<Record<string, number>>
  readonly custom: Readonly<Record<string, number>>
  readonly diff: string
  readonly agent: AgentFacts
  readonly sandbox: JsonObject
}

export interface AgentFacts {
  readonly name: string
  readonly model: string | null
  /** How it ended: `exited`, `timed_out`, `out_of_memory`, … */
  readonly ended: string
  readonly exit_code: number | null
  readonly signal: string | null
  /** `memory`, `processes`, `storage`, `output`: whether or not it ended because of them. */
  readonly limits_reached: readonly string[]
  /** Programs that it had started and that were still running when it ended. */
  readonly left_running: readonly string[]
  readonly wall_s: number
  /** null here and below: the agent calls its provider directly, and nothing is counted. */
  readonly tokens_total: number | null
  readonly calls: number | null
  readonly tool_calls: number | null
  readonly cost_usd: number | null
  /** Its calls at list price; older attempts lack it. */
  readonly price_usd?: number | null | undefined
  /** For the built-in agent: how its work ended, and why. */
  readonly exit_status?: string | undefined
  readonly exit_message?: string | undefined
}

/** `evaluation_results.json`: `total_score` at the top and under `evaluation`, where readers look for it. */
export function evaluationResults(evaluation: Evaluation): JsonObject {
  const { task, run_id, score, problem, rewards, tests, judgement, standard, custom, diff, agent, sandbox } = evaluation
  const unscored = unscoredRubrics(evaluation)
  return plain({
    task_id: task.id,
    run_id,
    total_score: score,
    passed: score === null ? null : score >= passingScore,
    ...(problem !== null && { problem }),
    evaluation: {
      rubrics: rubricsOf(evaluation),
      total_score: score,
      max_score: 1,
      ...(unscored.length > 0 && { unscored_rubrics: unscored }),
    },
    rewards,
    test_results: Object.fromEntries(
      tests.map(({ name, passed, output }) => [name, { success: passed, output: output ?? '' }]),
    ),
    diff_lines: diff === '' ? 0 : diff.split('\n').length - 1,
    agent_metrics: {
      agent: agent.name,
      model: agent.model,
      ended: agent.ended,
      exit_code: agent.exit_code,
      ...(agent.signal !== null && { signal: agent.signal }),
      ...(agent.exit_status !== undefined && { exit_status: agent.exit_status }),
      ...(agent.limits_reached.length > 0 && { limits_reached: agent.limits_reached }),
      ...(agent.left_running.length > 0 && { left_running: agent.left_running }),
      tokens_total: agent.tokens_total,
      calls: agent.calls,
      tool_calls_total: agent.tool_calls,
      time_taken_seconds: agent.wall_s,
      money_spent_usd: agent.cost_usd,
    },
    ...(judgement !== null && {
      lm_evaluation: {
        weighted_score: judgement.weighted_score,
        agreement: judgement.agreement,
        rubric_scores: judgement.rubrics,
      },
    }),
    standard_metrics: { ...standardMetrics(evaluation), ...standard },
    custom_metrics: custom,
    sandbox,
  })
}

/** Metrics of every task, under the same names. */
export function standardMetrics({ score, tests, judgement }: Evaluation): Readonly<Record<string, number>> {
  return {
    ...(score !== null && { total_score: score, passed: Number(score >= passingScore) }),
    ...(tests.length > 0 && { tests_total: tests.length, tests_passed: tests.filter(({ passed }) => passed).length }),
    ...(judgement !== null && { lm_score: judgement.weighted_score }),
  }
}

type Scoring = Pick<Evaluation, 'task' | 'tests' | 'judgement'>

export const rubricsOf = ({ task, tests, judgement }: Scoring): Readonly<Record<string, RubricScore>> =>
  rubricScores(task.rubrics, tests, judgement?.rubrics)

/** Rubrics that neither a test nor a judge scored. */
export const unscoredRubrics = (evaluation: Scoring): readonly string[] =>
  Object.entries(rubricsOf(evaluation)).flatMap(([id, { score }]) => (score === null ? [id] : []))

const plain = (data: object): JsonObject => JSON.parse(JSON.stringify(data))
