import type { AttemptResult, Job } from '../define/job.ts'
import type { StopReason } from '../define/outcome.ts'
import type { Executor, JobIo } from '../execute/executor.ts'

export interface EndedJob {
  readonly job: Job
  readonly result: AttemptResult
}

/** The jobs under way in this process, and those that have ended since somebody last looked. */
export class RunningJobs {
  readonly #executor: Executor
  readonly #handlers: { readonly onChange: () => void; readonly onTrouble: (error: unknown) => void }
  readonly #jobs = new Map<string, { readonly abort: AbortController; readonly over: Promise<void> }>()
  #ended: EndedJob[] = []

  constructor(
    executor: Executor,
    handlers: {
      readonly onChange: () => void
      /** The executor itself failed: nothing more may be started. */
      readonly onTrouble: (error: unknown) => void
    },
  ) {
    this.#executor = executor
    this.#handlers = handlers
  }

  /** Under way, or ended and not yet taken. */
  get size(): number {
    return this.#jobs.size + this.#ended.length
  }

  start(job: Job, onStarted: JobIo['onStarted']): void {
    const abort = new AbortController()
    const over = this.#executor
      .start(job, { signal: abort.signal, onPoint: () => undefined, onStarted })
      .then(
        result => void this.#ended.push({ job, result }),
        error => this.#handlers.onTrouble(error),
      )
      .finally(() => {
        this.#jobs.delete(job.token)
        this.#handlers.onChange()
      })
    this.#jobs.set(job.token, { abort, over })
  }

  takeEnded(): readonly EndedJob[] {
    const ended = this.#ended
    if (ended.length > 0) this.#ended = []
    return ended
  }

  /** Asks every job to end; each one's whole process group is gone before its result comes. */
  abortAll(reason: StopReason): void {
    for (const { abort } of this.#jobs.values()) abort.abort(reason)
  }

  async allOver(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map(job => job.over))
  }
}
