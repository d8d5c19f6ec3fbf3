import type { AttemptResult, Job } from '../define/job.ts'
import type { Point } from '../define/target.ts'
import type { UnfinishedAttempt } from '../record/work/unfinished.ts'

/** Where jobs are performed: this machine, a queue, a cluster. */
export interface Executor {
  /** How many jobs it performs at once. */
  readonly slots: number
  /** Changes that number; running jobs are left alone. */
  resize(slots: number): void
  /** Slots that are not in use. */
  free(): number
  /** Never rejects for what a run did; only when the executor itself can't go on. */
  start(job: Job, io: JobIo): Promise<AttemptResult>
  /** After a crash: the results of attempts that had finished; null for those that had not, and are ended now. */
  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]>
  close(): Promise<void>
}

export interface JobIo {
  /** Aborted with a StopReason. */
  readonly signal: AbortSignal
  /** A metric value while the job is under way. */
  onPoint(point: Point): void
  /** The process that carries the job. */
  onStarted(process: { readonly pid: number; readonly startTime: string | null }): void
}

export interface Adopted {
  readonly token: string
  readonly result: AttemptResult | null
}
