import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { knownMetrics } from '../../../define/observation.ts'
import type { Outcome } from '../../../define/outcome.ts'
import type { RunContext } from '../../../define/target.ts'
import type { SpanScope } from '../../../models/trace/run-trace.ts'
import { writeWhole } from '../../../util/files.ts'
import type { JsonObject } from '../../../util/json.ts'
import { type Evaluation, evaluationResults, rubricsOf, standardMetrics } from '../evaluate/results-file.ts'
import { passingScore, Unscored } from '../evaluate/score.ts'
import { scoringPage } from '../evaluate/scoring-page.ts'
import type { Worked } from './agent-work.ts'
import { filesOfSteps, type RunBoxes } from './box-of-run.ts'
import { totalOf } from './evaluate.ts'
import type { Rollout } from './rollout.ts'
import { isTooLow, type ScoredStep, scoreOneStep } from './score-step.ts'

/** Scores the agent's work, and records and reports the result, even without a score. */
export async function scoreWork(worked: Worked, rollout: Rollout): Promise<Outcome> {
  const { boxes, run, context, models } = rollout
  const about = {
    task: boxes.about.task,
    run_id: run.name,
    diff: worked.diff,
    agent: worked.agent,
    sandbox: sandboxFacts(boxes),
  }
  const write = (evaluation: Evaluation): void => {
    writeEvaluation(evaluation, boxes.dir)
    reportEvaluation(evaluation, context)
    traceEvaluation(evaluation, models)
  }
  try {
    const steps = await scoreRest(worked.steps, rollout)
    const total = await totalOf(steps, boxes, {
      diff: worked.diff,
      seed: run.seed,
      client: models.client,
      signal: context.signal,
    })
    write({ ...about, ...total, problem: null })
    return { kind: 'completed', ...endOfAgent(worked) }
  } catch (error) {
    if (error instanceof Unscored) write({ ...about, ...nothingKnown, problem: error.message })
    // The built-in agent's work is worth reporting even if it could not be scored.
    if (error instanceof Unscored && error.errorClass === 'nothing_to_score' && worked.agent.exit_status !== undefined)
      return { kind: 'completed', ...endOfAgent(worked) }
    throw error
  }
}

const nothingKnown = { score: null, rewards: {}, tests: [], judgement: null, standard: {}, custom: {} }

/** The steps that have no score yet, as far as the agent got; a task that is scored again ends at the same rewards. */
async function scoreRest(known: readonly ScoredStep[], rollout: Rollout): Promise<readonly ScoredStep[]> {
  const scored = [...known]
  for (const [at, step] of rollout.boxes.about.task.steps.entries()) {
    if (at < known.length) continue
    if (!isReached(at, rollout.boxes)) break
    const score = await scoreOneStep({ step, at }, rollout)
    scored.push(score)
    if (isTooLow(step, score)) break
  }
  return scored
}

const isReached = (at: number, boxes: RunBoxes): boolean => existsSync(filesOfSteps(boxes, at)[0] ?? '')

/** An agent that ran out of time is scored like any other, with a remark. */
function endOfAgent({ agent }: Worked): Partial<Outcome> {
  const { exit_status, exit_message: why = '' } = agent
  if (exit_status === 'submitted') return { exit_status }
  if (exit_status !== undefined) return { exit_status, message: `${why}; its work so far was scored` }
  const words: { readonly [ended: string]: string } = {
    timed_out: 'the agent ran out of time',
    out_of_memory: 'the agent ran out of memory',
    out_of_storage: 'the agent ran out of disk space',
  }
  const message = words[agent.ended]
  if (message !== undefined)
    return { error_class: `agent_${agent.ended}`, message: `${message}; its work so far was scored` }
  if (agent.exit_code === 0 || (agent.exit_code === null && agent.signal === null)) return {}
  const how = agent.signal === null ? `with exit code ${agent.exit_code}` : `by ${agent.signal}`
  return { error_class: 'agent_error', message: `the agent ended ${how}; its work so far was scored` }
}

/** How the run was isolated: results with different isolation are not comparable. */
function sandboxFacts({ sandbox, root, spec }: RunBoxes): JsonObject {
  const { isolation, memory, pids, storage, notes } = sandbox.can
  return {
    backend: sandbox.backend,
    version: sandbox.version,
    isolation,
    network: spec.network,
    enforces: { memory, processes: pids, storage },
    root: root.id,
    ...(root.skipped.length > 0 && { provided: root.skipped }),
    ...(root.notes.length + notes.length > 0 && { notes: [...notes, ...root.notes] }),
  }
}

export const resultsFile = 'evaluation_results.json'

/** The files in which people and other programs look for the score. */
export function writeEvaluation(evaluation: Evaluation, dir: string): void {
  writeWhole(join(dir, resultsFile), `${JSON.stringify(evaluationResults(evaluation), null, 2)}\n`)
  writeWhole(join(dir, 'scoring_results.md'), scoringPage(evaluation))
}

/** The metrics of a run. A task's own numbers keep their names; assay's own win where they clash. */
export function reportEvaluation(evaluation: Evaluation, context: Pick<RunContext, 'report'>): void {
  const { score, rewards, custom, agent } = evaluation
  const { total_score: _, passed: __, ...standard } = standardMetrics(evaluation)
  const rubrics = Object.entries(rubricsOf(evaluation)).flatMap(([id, rubric]) =>
    rubric.score === null ? [] : [[`rubric:${id}`, rubric.score] as const],
  )
  const { reward: ___, ...otherRewards } = rewards
  const metrics = {
    ...custom,
    ...otherRewards,
    ...Object.fromEntries(rubrics),
    ...standard,
    ...evaluation.standard,
    agent_s: agent.wall_s,
    ...((agent.calls ?? 0) > 0 && { calls: agent.calls, tokens: agent.tokens_total, tool_calls: agent.tool_calls }),
    ...(score !== null && { score, [knownMetrics.passed]: Number(score >= passingScore) }),
  }
  for (const [metric, value] of Object.entries(metrics))
    if (value !== null && Number.isFinite(value)) context.report({ metric, value, step: null })
}

/** The score of the run's span, and that of each test. */
export function traceEvaluation({ score, tests }: Evaluation, span: Pick<SpanScope, 'score'>): void {
  for (const { name, passed } of tests) span.score({ name, value: Number(passed), passed })
  if (score !== null) span.score({ name: 'score', value: score, passed: score >= passingScore })
}
