import type { Experiment } from '../define/experiment.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../define/job.ts'
import type { PerformIo } from '../perform/perform.ts'

/** Where jobs are performed: this machine, a queue, a cluster. */
export interface Executor {
  /** How many jobs it performs at once. */
  readonly slots: number
  /** Changes that number; running jobs are left alone. */
  resize(slots: number): void
  /** Jobs from now on spell their values as this definition does: it may have got values that were not there before. */
  follow(experiment: Experiment): void
  /** Slots that are not in use. */
  free(): number
  /** Never rejects for what a run did; only when the executor itself can't go on. */
  start(job: Job, io: JobIo): Promise<AttemptResult>
  /** After a crash: the results of attempts that had finished; null for those that had not, and are ended now. */
  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]>
  close(): Promise<void>
}

/** What a job may tell, and be told, while it is under way. */
export type JobIo = PerformIo

export interface Adopted {
  readonly token: string
  /** null: it had not finished, and is ended now. */
  readonly result: AttemptResult | null
  /** What an attempt that had not finished is known to have cost. */
  readonly spent_usd: number
}
