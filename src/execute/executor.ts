import type { Experiment } from '../define/experiment.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../define/run.ts'
import type { PerformIo } from '../perform/perform.ts'

/** The executors there are, by the names that `--executor` takes; the first is the usual one. */
export const executorNames = ['local', 'queue', 'slurm', 'ssh', 'skypilot', 'modal', 'aws-batch', 'kubernetes'] as const

export type ExecutorName = (typeof executorNames)[number]

/** Where jobs are performed: this machine, a queue, a cluster. */
export interface Executor {
  /** How many jobs it performs at once. */
  readonly slots: number
  /** Jobs are performed on machines that it starts itself: the sandboxes of this one say nothing about them. */
  readonly startsMachines?: boolean
  /** Changes that number; running jobs are left alone. */
  resize(slots: number): void
  /** Jobs from now on spell their values as this definition does: it may have got values that were not there before. */
  follow(experiment: Experiment): void
  /** Slots that are not in use. */
  free(): number
  /** Never rejects for what a run did; only when the executor itself can't go on. */
  start(job: Job, io: JobIo): Promise<AttemptResult>
  /** After a crash: what became of attempts that have no end. One answer for each; those that were cut off are ended now. */
  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]>
  /** No more jobs come: resolves when what they send in the background is sent, or the time for it is over. */
  settled?(): Promise<void>
  /** From now on jobs may come. Where jobs are performed elsewhere, there is more to tell than what becomes of each. */
  listen?(listener: ExecutorListener): void
  /** There are jobs for it, and it has no slot free: machines that it starts itself are started now, and not for nothing. */
  expectJobs?(): void
  close(): Promise<void>
}

export interface ExecutorListener {
  /** Something that people should know now. */
  notice(message: string): void
  /** The result of an attempt that was given up: another has its place, but its money counts. */
  late(result: AttemptResult): void
  /** There are more slots than before. */
  grown(): void
}

/** What a job may tell, and be told, while it is under way. */
export type JobIo = PerformIo

export type Adopted =
  /** It had finished, and left its result. */
  | { readonly kind: 'finished'; readonly token: string; readonly result: AttemptResult }
  /** It goes on elsewhere: attaching to it works as for a job that was started here. */
  | { readonly kind: 'running'; readonly token: string; attach(io: JobIo): Promise<AttemptResult> }
  /** It was cut off, and nothing of it runs any more. */
  | {
      readonly kind: 'ended'
      readonly token: string
      /** What it is known to have cost. */
      readonly spent_usd: number
      /** Where its files are, as in a result; null: it left none. */
      readonly place: string | null
      /** As in an outcome: what it has done is kept. */
      readonly only_scoring_left?: boolean
    }
