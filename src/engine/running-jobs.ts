import type { AttemptResult, Job } from '../define/job.ts'
import type { StopReason } from '../define/outcome.ts'
import type { Executor } from '../execute/executor.ts'
import { recordProcess } from '../record/work/claim.ts'
import { type Settling, settleJob } from './settle-job.ts'

/** The jobs under way in this process. */
export class RunningJobs {
  readonly #executor: Executor
  readonly #settling: Settling
  readonly #onEnd: (job: Job, result: AttemptResult, isRunOver: boolean) => void
  readonly #onTrouble: (error: unknown) => void
  readonly #jobs = new Map<string, { readonly abort: AbortController; readonly ended: Promise<void> }>()

  constructor(
    executor: Executor,
    settling: Settling,
    handlers: {
      readonly onEnd: (job: Job, result: AttemptResult, isRunOver: boolean) => void
      /** The journal can't be written: nothing more may be started. */
      readonly onTrouble: (error: unknown) => void
    },
  ) {
    this.#executor = executor
    this.#settling = settling
    this.#onEnd = handlers.onEnd
    this.#onTrouble = handlers.onTrouble
  }

  get size(): number {
    return this.#jobs.size
  }

  start(job: Job): void {
    const { journal, emit, clock } = this.#settling
    const abort = new AbortController()
    emit({ kind: 'attempt_started', run: job.run.name, attempt: job.attempt, at: clock.now() })
    const ended = this.#executor
      .start(job, {
        signal: abort.signal,
        onPoint: () => undefined,
        onStarted: process => recordProcess(journal, job.token, process.pid, process.startTime),
      })
      .then(result => {
        this.#jobs.delete(job.token)
        this.#onEnd(job, result, settleJob(this.#settling, job, result))
      })
      .catch(error => {
        this.#jobs.delete(job.token)
        this.#onTrouble(error)
      })
    this.#jobs.set(job.token, { abort, ended })
  }

  /** Asks every job to end; each one's whole process group is gone before its result comes. */
  abortAll(reason: StopReason): void {
    for (const { abort } of this.#jobs.values()) abort.abort(reason)
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(job => job.ended))
  }
}
