import type { Experiment } from '../define/experiment.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../define/run.ts'
import type { PerformIo } from '../perform/perform.ts'

/** What is known of an executor before it is opened. */
interface ExecutorTraits {
  /** Runs are executed on this machine: what it has decides how many at once. */
  readonly isHere?: boolean
  /** As in {@link Executor}. */
  readonly startsMachines?: boolean
  /** The options of the command line that mean nothing to executors that don't list them. */
  readonly options: readonly string[]
}

const launcher = { startsMachines: true, options: ['artifacts', 'remoteAssay', 'launch'] } as const

/** The available executors, by the names that `--executor` takes; the first is the default. */
const executorTraits = {
  local: { isHere: true, options: ['label'] },
  queue: { options: ['artifacts'] },
  slurm: { options: ['partition', 'time', 'mem', 'gpus', 'sbatch', 'before', 'chunk', 'arrayLimit'] },
  ssh: { options: ['artifacts', 'hosts', 'folder', 'sshConfig', 'remoteAssay'] },
  skypilot: { ...launcher, options: [...launcher.options, 'gpus'] },
  modal: { ...launcher, options: [...launcher.options, 'gpus'] },
  'aws-batch': launcher,
  kubernetes: { ...launcher, options: [...launcher.options, 'gpus'] },
} as const satisfies { readonly [name: string]: ExecutorTraits }

export type ExecutorName = keyof typeof executorTraits

export const executorNames = Object.keys(executorTraits) as readonly ExecutorName[]

export const traitsOf = (name: ExecutorName): ExecutorTraits => executorTraits[name]

/** Naming a server means using it. */
export const chosenExecutor = (name: ExecutorName | undefined, queue: string | undefined): ExecutorName =>
  name ?? (queue === undefined ? 'local' : 'queue')

/** Every option that belongs to some executors only. */
export const executorOptionNames = [...new Set(executorNames.flatMap(name => [...executorTraits[name].options]))]

/** The executors that take this option. */
export const takersOf = (option: string): readonly ExecutorName[] =>
  executorNames.filter(name => traitsOf(name).options.includes(option))

/** Where jobs are performed: this machine, a queue, a cluster. */
export interface Executor {
  /** How many jobs it performs at a time. */
  readonly slots: number
  /** It performs jobs on machines that it starts itself, so this machine's sandboxes don't matter. */
  readonly startsMachines?: boolean
  /** Changes that number; running jobs are left alone. */
  resize(slots: number): void
  /** Later jobs spell their values as this definition does, which may contain new values. */
  follow(experiment: Experiment): void
  /** Slots not in use. */
  free(): number
  /** Never rejects because of what a run did; only if the executor itself can't continue. */
  start(job: Job, io: JobIo): Promise<AttemptResult>
  /**
   * After a crash: the fate of attempts without a recorded end, one answer for each; interrupted ones are ended now.
   */
  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]>
  /** No more jobs will come: resolves when background messages are sent, or after a time limit. */
  settled?(): Promise<void>
  /** Jobs may come from now on. An executor that performs jobs elsewhere has more to report than their results. */
  listen?(listener: ExecutorListener): void
  /**
   * Jobs are waiting and no slot is free: machines that the executor starts itself are started only now, when they are
   * needed.
   */
  expectJobs?(): void
  close(): Promise<void>
}

export interface ExecutorListener {
  /** A message to show to the user now. */
  notice(message: string): void
  /** The result of an attempt that was given up: another attempt has replaced it, but its cost counts. */
  late(result: AttemptResult): void
  /** There are more slots than before. */
  grown(): void
}

/** What a running job may report and receive. */
export type JobIo = PerformIo

export type Adopted =
  /** It had finished and left its result. */
  | { readonly kind: 'finished'; readonly token: string; readonly result: AttemptResult }
  /** It is still running elsewhere: attach to it as to a job started here. */
  | { readonly kind: 'running'; readonly token: string; attach(io: JobIo): Promise<AttemptResult> }
  /** It was interrupted, and none of its processes is still running. */
  | {
      readonly kind: 'ended'
      readonly token: string
      /** Its cost, as far as it is known. */
      readonly spent_usd: number
      /** The folder of its files, as in a result; null: it left none. */
      readonly place: string | null
      /** As in an outcome: its work is kept. */
      readonly only_scoring_left?: boolean
    }
