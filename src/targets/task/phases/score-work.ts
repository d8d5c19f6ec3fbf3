import { existsSync } from 'node:fs'
import type { Outcome } from '../../../define/outcome.ts'
import type { JsonObject } from '../../../util/json.ts'
import type { Evaluation } from '../evaluate/results-file.ts'
import { Unscored } from '../evaluate/score.ts'
import { reportEvaluation, traceEvaluation, writeEvaluation } from '../result.ts'
import type { Worked } from './agent-work.ts'
import { filesOfSteps, type RunBoxes } from './box-of-run.ts'
import { totalOf } from './evaluate.ts'
import type { Rollout } from './rollout.ts'
import { isTooLow, type ScoredStep, scoreOneStep } from './score-step.ts'

/** Scores what the agent left, and writes down and reports what came of it: also where there is no score. */
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
    // What the built-in agent did is worth knowing even where nothing says whether it was right.
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

/** An agent that ran out of time is scored like any other, and it is said. */
function endOfAgent({ agent }: Worked): Partial<Outcome> {
  const { exit_status, exit_message: why = '' } = agent
  if (exit_status === 'submitted') return { exit_status }
  if (exit_status !== undefined) return { exit_status, message: `${why}; what it had done was scored` }
  const words: { readonly [ended: string]: string } = {
    timed_out: 'the agent ran out of time',
    out_of_memory: 'the agent ran out of memory',
    out_of_storage: 'the agent ran out of disk space',
  }
  const message = words[agent.ended]
  if (message !== undefined)
    return { error_class: `agent_${agent.ended}`, message: `${message}; what it had done was scored` }
  if (agent.exit_code === 0 || (agent.exit_code === null && agent.signal === null)) return {}
  const how = agent.signal === null ? `with exit code ${agent.exit_code}` : `by ${agent.signal}`
  return { error_class: 'agent_error', message: `the agent ended ${how}; what it had done was scored` }
}

/** How the run was isolated: results of different isolation are not alike. */
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
