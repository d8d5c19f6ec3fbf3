import type { AttemptResult, Job } from '../define/job.ts'
import type { PerformIo } from '../perform/perform.ts'

/** Where jobs are performed: this machine, a queue's workers, a cluster. */
export interface Executor {
  /** How many more jobs it would take now. */
  free(): number
  /** Never rejects: what goes wrong is an outcome. */
  start(job: Job, io: PerformIo): Promise<AttemptResult>
  /** After a crash: finished attempts are taken in, all others are ended, and gone when this resolves. */
  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly AdoptedAttempt[]>
  close(): Promise<void>
}

/** An attempt that the journal knows as running, but whose worker is dead. */
export interface UnfinishedAttempt {
  /** The run's name. */
  readonly run: string
  readonly token: string
  readonly attempt: number
  readonly pid: number | null
  readonly startTime: string | null
  /** Milliseconds since 1970. */
  readonly started_at: number
}

export interface AdoptedAttempt {
  readonly token: string
  /** null: it was cut off; whatever was left of it has been ended. */
  readonly result: AttemptResult | null
}
