import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Outcome, stopReasonOf } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext } from '../../define/target.ts'
import { ModelError, outcomeOfModelError } from '../../models/model-error.ts'
import { atifOfTrace } from '../../models/trajectory/trajectory-files.ts'
import { type Backend, backends, type Sandbox } from '../../process/sandbox/box.ts'
import { chooseSandbox } from '../../process/sandbox/sandbox.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { readRegular, writeWhole } from '../../util/files.ts'
import { didYouMean } from '../../util/suggest.ts'
import { StrategyError } from '../agent/strategies/checked-strategy.ts'
import { NoVerdict } from '../prompt/asserts/judge.ts'
import { openRunModels, type RunModels } from '../run-models.ts'
import { rootFor } from './environment.ts'
import { Unscored } from './evaluate/score.ts'
import { letAgentWork, takeOverWork, type Worked } from './phases/agent-work.ts'
import type { RunBoxes } from './phases/box-of-run.ts'
import type { Rollout } from './phases/rollout.ts'
import { scoreWork } from './phases/score-work.ts'
import type { TaskSpec } from './spec.ts'
import { stageEnvironment } from './stage.ts'
import { taskOfRun } from './task-of-run.ts'

/** One rollout: the agent works on the task in a box, then the tests run in another one over its files. */
export async function workOnTask(spec: TaskSpec, run: Run, context: RunContext): Promise<Outcome> {
  const { run_dir } = context.makeDirectory()
  const models = openRunModels(run, context)
  let isWorkDone = context.mode === 'score'
  let outcome: Outcome | undefined
  let worked: Worked | null = null
  let sandbox: { readonly sandbox?: string } = {}
  try {
    const rollout = await prepare(spec, run, context, models)
    sandbox = { sandbox: isolationOf(rollout.boxes) }
    worked = context.mode === 'score' ? takeOverWork(rollout) : await letAgentWork(rollout)
    isWorkDone = true
    outcome = { ...(await scoreWork(worked, rollout)), ...sandbox }
    return outcome
  } catch (error) {
    const stopped = stopReasonOf(context.signal)
    const ended = stopped === null ? outcomeOfError(error, isWorkDone) : { ...stopped, ...leftAfter(isWorkDone) }
    if (ended === null) throw error
    outcome = { ...ended, ...sandbox }
    return outcome
  } finally {
    for (const name of ['stage', 'scratch']) rmSync(join(run_dir, name), { recursive: true, force: true })
    const judge = models.client.totals().by_purpose.judge?.price_usd ?? null
    if (judge !== null) context.report({ metric: 'judge_usd', value: judge, step: null })
    await models.close(outcome)
    if (context.mode === 'run') recordWork(run, context, spec, worked)
  }
}

/** The trace has the same content: an unwritable trajectory is no reason to lose the run. */
function recordWork(run: Run, context: RunContext, spec: TaskSpec, worked: Worked | null): void {
  try {
    const { task, agent, model } = taskOfRun(spec, run, context.experiment)
    recordTrajectory(context.place.run_dir, { id: run.name, task: task.id, agent, model, worked })
  } catch (error) {
    context.note(`the trajectory of ${run.name} was not written: ${messageOf(error)}`)
  }
}

/** Everything that can be refused before the agent starts. */
async function prepare(spec: TaskSpec, run: Run, context: RunContext, models: RunModels): Promise<Rollout> {
  const { experiment, token, signal, place } = context
  const about = taskOfRun(spec, run, experiment)
  const sandbox = await sandboxFor(spec.sandbox)
  const log = join(place.run_dir, 'logs')
  mkdirSync(log, { recursive: true })
  const root = await rootFor(about.task, sandbox, {
    spec,
    experiment,
    token,
    signal,
    onLine: line => appendFileSync(join(log, 'build.log'), `${line}\n`),
  })
  const workdir = about.task.environment.workdir ?? root.workdir
  const isNew = context.mode === 'run'
  const { initial, repo } = isNew
    ? await stageEnvironment(about.task.environment, workdir, join(place.run_dir, 'stage'), signal)
    : { initial: [], repo: null }
  const dir = place.run_dir
  const kept = join(isNew ? dir : (context.continues?.dir ?? dir), 'box')
  return { run, context, models, repo, boxes: { sandbox, root, spec, about, token, workdir, initial, dir, kept } }
}

/** In a few words: `bubblewrap`, `bubblewrap with network, provided: pip3 install pytest`. */
function isolationOf({ sandbox: { backend }, spec, root }: RunBoxes): string {
  const network = spec.network === 'none' ? '' : ' with network'
  return `${backend}${network}${root.skipped.length === 0 ? '' : `, provided: ${root.skipped.join('; ')}`}`
}

const chosen = new Map<string, Promise<Sandbox>>()

/**
 * Probing takes time, and this machine does not change while a process runs. `auto`: the one named by SANDBOX_BACKEND,
 * if it is set.
 */
export async function sandboxFor(wanted: Backend | 'auto'): Promise<Sandbox> {
  const backend = wanted === 'auto' ? namedBackend(process.env.SANDBOX_BACKEND) : wanted
  const before = chosen.get(backend)
  if (before !== undefined) return before
  const found = chooseSandbox(backend, process.env)
  chosen.set(backend, found)
  found.catch(() => chosen.delete(backend))
  return found
}

function namedBackend(name = ''): Backend | 'auto' {
  if (name === '') return 'auto'
  const found = backends.find(backend => backend === name.toLowerCase())
  if (found !== undefined) return found
  if (name.toLowerCase() === 'modal')
    throw new AssayError('usage', 'SANDBOX_BACKEND=modal asks for machines of Modal, which need a queue', {
      hint: `Unset it to run the tasks on this machine, or name a sandbox of it: ${backends.join(', ')}. Modal runs queue workers: give a --queue that its machines can reach (docs/clouds.md).`,
    })
  throw new AssayError('usage', `SANDBOX_BACKEND=${name} names no sandbox of this machine`, {
    hint: didYouMean(name, backends) ?? `Known here: ${backends.join(', ')}.`,
  })
}

/** Once the agent's work is done and kept, the next attempt only scores it. */
export const leftAfter = (isWorkDone: boolean): Pick<Outcome, 'only_scoring_left'> =>
  isWorkDone ? { only_scoring_left: true } : {}

/**
 * The outcome of an error for the run; null: unknown here. `isWorkDone`: the agent's work is kept, and only its score
 * is missing.
 */
export function outcomeOfError(error: unknown, isWorkDone: boolean): Outcome | null {
  const left = leftAfter(isWorkDone)
  if (error instanceof Unscored) {
    const kind = error.retry ? 'infra_error' : 'failed'
    return { kind, error_class: error.errorClass, message: error.message, ...left }
  }
  if (error instanceof NoVerdict)
    return { kind: 'infra_error', error_class: 'no_verdict', message: error.message, ...left }
  if (error instanceof ModelError) return { ...outcomeOfModelError(error), ...left }
  if (error instanceof StrategyError) return { kind: 'failed', error_class: 'strategy_error', message: error.message }
  if (!(error instanceof AssayError)) return null
  const { code, message, hint } = error
  if (code === 'unsupported_environment')
    return {
      kind: 'failed',
      error_class: code,
      unsupported_environment: true,
      message: hint === undefined ? message : `${message}. ${hint}`,
    }
  return code === 'config' ? { kind: 'failed', error_class: 'task_error', message } : null
}

/** Where a run keeps its trajectory. */
const file = 'trajectory.json'

/**
 * Writes the trajectory of an agent that called its models through the proxy, from the run's trace, which must be
 * complete. assay's own agent has written its trajectory itself.
 */
export function recordTrajectory(
  dir: string,
  about: {
    readonly id: string
    readonly task: string
    readonly agent: string
    readonly model: string | null
    readonly worked: Worked | null
  },
): void {
  const trace = existsSync(join(dir, file)) ? null : readRegular(join(dir, 'trace.jsonl'))
  if (trace === null) return
  const { id, task, agent, model, worked } = about
  const atif = atifOfTrace(trace, {
    ...{ id, task },
    agent: { name: agent, model },
    exit_status: worked === null ? null : exitStatusOf(worked),
    submission: worked === null || worked.diff === '' ? null : worked.diff,
  })
  if (atif !== null) writeWhole(join(dir, file), atif)
}

/** In SWE-agent's words: a patch left by an interrupted agent is submitted for the reason of the interruption. */
function exitStatusOf({ agent: { ended, exit_code }, diff }: Worked): string {
  if (ended === 'exited' && exit_code === 0) return 'submitted'
  const reason = ended === 'timed_out' ? 'exit_timeout' : ended === 'exited' ? 'exit_error' : 'exit_environment_error'
  return diff === '' ? reason : `submitted (${reason})`
}
