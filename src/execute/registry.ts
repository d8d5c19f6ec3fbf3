import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Experiment, Needs } from '../define/experiment.ts'
import type { Setting } from '../perform/perform.ts'
import { differentNeeds } from '../plan/plan.ts'
import { AssayError } from '../util/errors.ts'
import { sha256 } from '../util/hash.ts'
import { chosenExecutor, type Executor, type ExecutorName, traitsOf } from './executor.ts'
import { type Launch, type LauncherName, launcherNames, launchOf, launchPlan } from './launchers/launcher.ts'
import { LocalExecutor } from './local.ts'
import { lackOf, mostAtOnce, needsText, type Room, thisMachine } from './machine.ts'
import type { ChunkOptions } from './slurm/perform-chunk.ts'
import { checkOptions, type SlurmOptions } from './slurm/script.ts'
import { hasSubmissions, submissionsIn } from './slurm/submission.ts'
import { type SshOptions, sshPlan } from './ssh/ssh-command.ts'
import { WithWorkers } from './with-workers.ts'

export type { SlurmOptions } from './slurm/script.ts'
export { parseHosts, type SshOptions } from './ssh/ssh-command.ts'

/** What executors need besides the experiment. */
export interface ExecutorOptions {
  /** How many jobs at a time. */
  readonly slots: number
  /** Whether the user gave this number; otherwise it follows from this machine. */
  readonly areSlotsGiven?: boolean | undefined
  /** The address of the server that carries jobs. */
  readonly queue?: string | undefined
  readonly slurm?: SlurmOptions | undefined
  readonly ssh?: SshOptions | undefined
  /** For launchers: `key=value`, and the command that starts assay there. */
  readonly launch?: { readonly given: readonly string[]; readonly assay: string } | undefined
  /** Where workers store files that are too large for a result: `s3://…`. */
  readonly artifacts?: string | undefined
  /** The user's labels for this machine; undefined: not asked, and labels that runs need are not checked. */
  readonly labels?: readonly string[] | undefined
  readonly cwd: string
}

/** Opens an executor for the jobs of one experiment; if none is named, on this machine. */
export async function openExecutor(
  name: ExecutorName | undefined,
  setting: Setting,
  options: ExecutorOptions,
): Promise<Executor> {
  const chosen = chosenExecutor(name, options.queue)
  if (chosen !== 'slurm') refuseBesideSlurm(setting.dir)
  return executors[chosen](setting, options)
}

/** What an executor would do with this many runs, in words; empty if there is nothing to add to the plan. */
export async function foreseeExecution(
  name: ExecutorName | undefined,
  setting: Pick<Setting, 'experiment' | 'dir'>,
  options: ExecutorOptions,
  runs: number,
): Promise<readonly string[]> {
  const chosen = chosenExecutor(name, options.queue)
  const all = differentNeeds(setting.experiment)
  const who = all.length === 1 ? 'each run needs' : 'some runs need'
  const needed = all.flatMap(needs =>
    needs === undefined ? [] : [`${who} ${needsText(needs)}${hereText(chosen, needs, setting, options)}`],
  )
  return [...needed, ...(await foreseeOn(chosen, setting, options, runs))]
}

function hereText(
  chosen: ExecutorName,
  needs: Needs,
  { experiment }: Pick<Setting, 'experiment'>,
  options: ExecutorOptions,
): string {
  if (!traitsOf(chosen).isHere) return ''
  const most = mostAtOnce(hereFor(experiment, options).machine, needs)
  return most === 0 ? ", which this machine doesn't have" : `: this machine can execute ${most} at once`
}

async function foreseeOn(
  chosen: ExecutorName,
  setting: Pick<Setting, 'experiment' | 'dir'>,
  options: ExecutorOptions,
  runs: number,
): Promise<readonly string[]> {
  if (isLauncher(chosen)) return launchPlan(chosen, launchFor(chosen, setting, options), launchFolder(setting))
  if (chosen === 'ssh') return sshPlan(sshOptions(options), queueOf(options, chosen))
  if (chosen !== 'slurm' || runs === 0) return []
  const { foreseeSubmission } = await import('./slurm/foresee.ts')
  return foreseeSubmission(setting, slurmOptions(options), options.cwd, runs)
}

/** Performs an array task that {@link openExecutor}'s executor submitted. */
export async function performSubmitted(file: string, options: ChunkOptions): Promise<number> {
  const { performChunk } = await import('./slurm/perform-chunk.ts')
  return performChunk(file, options)
}

/** Jobs still in Slurm would be performed twice, in the same folders. */
function refuseBesideSlurm(dir: string): void {
  if (!hasSubmissions(dir)) return
  throw new AssayError('busy', 'runs of this experiment were submitted to Slurm, and may still be running there', {
    hint: `Continue with --executor slurm. Where Slurm is gone for good: delete ${submissionsIn(dir)}.`,
  })
}

function slurmOptions({ slurm }: ExecutorOptions): SlurmOptions {
  if (slurm === undefined) throw new AssayError('usage', '--executor slurm is for the command line of assay')
  checkOptions(slurm)
  return slurm
}

const isLauncher = (name: ExecutorName): name is LauncherName => launcherNames.some(known => known === name)

const launchFolder = ({ dir }: Pick<Setting, 'dir'>): string => join(dir, '.launcher')

function launchFor(
  name: LauncherName,
  { dir, experiment }: Pick<Setting, 'dir' | 'experiment'>,
  options: ExecutorOptions,
): Launch {
  const { given = [], assay = 'assay' } = options.launch ?? {}
  const facts = { folder: experiment.folder, queue: queueOf(options, name), assay }
  return launchOf({ name, given }, { name: `assay-${placeId(dir).slice(0, 12)}`, ...facts })
}

function sshOptions({ ssh }: ExecutorOptions): SshOptions {
  if (ssh !== undefined) return ssh
  throw new AssayError('usage', '--executor ssh needs --hosts: machines as ssh knows them, e.g. gpu1,me@gpu2=8')
}

function queueOf({ queue }: ExecutorOptions, name: ExecutorName): string {
  if (queue !== undefined) return queue
  throw new AssayError('usage', `--executor ${name} needs the address of a server: --queue postgres://… or redis://…`, {
    hint: 'Or set ASSAY_QUEUE, which keeps a password out of the command line.',
  })
}

/** This machine, as its runs share it. */
const hereFor = (experiment: Experiment, { labels }: Pick<ExecutorOptions, 'labels'>): Room =>
  thisMachine(labels ?? differentNeeds(experiment).flatMap(needs => needs?.labels ?? []))

function roomFor(experiment: Experiment, options: ExecutorOptions): Room | null {
  if (experiment.needs === undefined) return null
  const room = hereFor(experiment, options)
  const all = differentNeeds(experiment)
  const [lack] = all.flatMap(
    needs => lackOf(room.machine, needs, all.length === 1 ? 'each run needs' : 'some runs need') ?? [],
  )
  if (lack === undefined) return room
  throw new AssayError('usage', `${experiment.name} can't run here: ${lack}`, {
    hint: 'A label is given with --label, e.g. --label docker. With --queue, workers on other machines execute the runs.',
  })
}

const executors: {
  readonly [name in ExecutorName]: (setting: Setting, options: ExecutorOptions) => Executor | Promise<Executor>
} = {
  local: (setting, options) => new LocalExecutor(setting, options.slots, roomFor(setting.experiment, options)),
  async queue(setting, options) {
    const { cwd, slots, areSlotsGiven = false, artifacts } = options
    const queue = queueOf(options, 'queue')
    if (artifacts !== undefined) (await import('./queue/worker/object-store.ts')).parseStore(artifacts)
    const { openQueueServer } = await import('./queue/server/open-server.ts')
    const { QueueExecutor } = await import('./queue/coordinator/queue-executor.ts')
    const server = await openQueueServer(queue)
    return QueueExecutor.open(server, setting, {
      id: placeId(setting.dir),
      cwd,
      mostJobs: areSlotsGiven ? slots : null,
      artifacts,
    })
  },
  async slurm(setting, options) {
    const { slots, areSlotsGiven = false, cwd } = options
    const { SlurmExecutor } = await import('./slurm/slurm-executor.ts')
    // A search learns from its runs: a thousand at a time would all be guesses.
    const isLimited = areSlotsGiven || setting.experiment.search !== undefined
    return SlurmExecutor.open(setting, slurmOptions(options), { cwd, mostJobs: isLimited ? slots : null })
  },
  async ssh(setting, options) {
    const [ssh, queue] = [sshOptions(options), queueOf(options, 'ssh')]
    const { SshWorkers } = await import('./ssh/ssh-workers.ts')
    return new WithWorkers(await executors.queue(setting, options), new SshWorkers(ssh, queue))
  },
  skypilot: (setting, options) => launched('skypilot', setting, options),
  modal: (setting, options) => launched('modal', setting, options),
  'aws-batch': (setting, options) => launched('aws-batch', setting, options),
  kubernetes: (setting, options) => launched('kubernetes', setting, options),
}

async function launched(name: LauncherName, setting: Setting, options: ExecutorOptions): Promise<Executor> {
  const launch = launchFor(name, setting, options)
  const { LauncherWorkers } = await import('./launchers/launcher-workers.ts')
  return new WithWorkers(
    await executors.queue(setting, options),
    new LauncherWorkers(launch, launchFolder(setting)),
    traitsOf(name).startsMachines,
  )
}

/** The same for every call on this directory, and for no other: a restarted coordinator finds its jobs by it. */
function placeId(dir: string): string {
  let place = dir
  try {
    place = realpathSync(dir)
  } catch {
    // It does not exist yet.
  }
  return sha256(`${hostname()} ${place}`).slice(0, 24)
}
