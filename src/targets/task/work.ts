import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Outcome, stopReasonOf } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'
import type { RunContext } from '../../define/target.ts'
import { type Backend, backends, type Sandbox } from '../../process/sandbox/box.ts'
import { chooseSandbox } from '../../process/sandbox/sandbox.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { didYouMean } from '../../util/suggest.ts'
import { openRunModels, type RunModels } from '../run-models.ts'
import { rootFor } from './environment.ts'
import { leftAfter, outcomeOfError } from './outcome.ts'
import { letAgentWork, takeOverWork, type Worked } from './phases/agent-work.ts'
import type { RunBoxes } from './phases/box-of-run.ts'
import type { Rollout } from './phases/rollout.ts'
import { scoreWork } from './phases/score-work.ts'
import { recordTrajectory } from './recorded-trajectory.ts'
import type { TaskSpec } from './spec.ts'
import { stageEnvironment } from './stage.ts'
import { taskOfRun } from './task-of-run.ts'

/** One rollout: the agent works on the task in a box, then the tests run in another one over what it left. */
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

/** Only what the trace holds: a trajectory that can't be written is no reason to lose the run. */
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

/** Probing takes time, and this machine does not change while a process runs. `auto`: what SANDBOX_BACKEND names, if it is set. */
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
    throw new AssayError('usage', 'SANDBOX_BACKEND=modal asks for machines of Modal, which assay does not start yet', {
      hint: `Unset it to run the tasks on this machine, or name a sandbox of it: ${backends.join(', ')}. Modal will come with the launchers of a later version.`,
    })
  throw new AssayError('usage', `SANDBOX_BACKEND=${name} names no sandbox of this machine`, {
    hint: didYouMean(name, backends) ?? `Known here: ${backends.join(', ')}.`,
  })
}
