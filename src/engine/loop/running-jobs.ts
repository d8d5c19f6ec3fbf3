import type { StopReason } from '../../define/outcome.ts'
import type { AttemptResult, Job } from '../../define/run.ts'
import type { Point } from '../../define/target.ts'
import type { Executor, JobIo } from '../../execute/executor.ts'
import { SmallMap } from '../../util/collections.ts'
import type { RunningElsewhere } from './adopt.ts'

export interface EndedJob {
  readonly job: Job
  readonly result: AttemptResult
}

interface JobHandlers {
  readonly onChange: () => void
  /** What a run reports while it is running. */
  readonly onPoint: (job: Job, point: Point) => void
  /** The executor itself failed: nothing more may be started. */
  readonly onFailure: (error: unknown) => void
}

/** The running jobs of this process, and those that ended since they were last collected. */
export class RunningJobs {
  readonly #executor: Executor
  readonly #handlers: JobHandlers
  readonly #jobs = new SmallMap<string, Promise<void>>()
  readonly #aborts = new SmallMap<string, AbortController>()
  #ended: EndedJob[] = []
  #abortReason: StopReason | null = null

  constructor(executor: Executor, handlers: JobHandlers) {
    this.#executor = executor
    this.#handlers = handlers
  }

  /** Running, or ended and not yet collected. */
  get size(): number {
    return this.#jobs.size + this.#ended.length
  }

  /** A job that is already running is given to `attach` instead of being started. */
  start(
    job: Job,
    io: Pick<JobIo, 'permits' | 'modelIds' | 'beyondBound' | 'onStarted' | 'onNote'>,
    attach?: RunningElsewhere['attach'],
  ): void {
    const abort = new AbortController()
    this.#aborts.set(job.token, abort)
    if (this.#abortReason !== null) abort.abort(this.#abortReason)
    const whole = { ...io, signal: abort.signal, onPoint: (point: Point) => this.#handlers.onPoint(job, point) }
    const over = (attach === undefined ? this.#executor.start(job, whole) : attach(whole))
      .then(
        result => void this.#ended.push({ job, result }),
        error => this.#handlers.onFailure(error),
      )
      .finally(() => {
        this.#aborts.delete(job.token)
        this.#jobs.delete(job.token)
        this.#handlers.onChange()
      })
    this.#jobs.set(job.token, over)
  }

  takeEnded(): readonly EndedJob[] {
    const ended = this.#ended
    if (ended.length > 0) this.#ended = []
    return ended
  }

  /** The result of an attempt that was given up. Whether it came before that was recorded: then it is what counts. */
  replaceEnd(result: AttemptResult): boolean {
    const at = this.#ended.findIndex(({ job }) => job.token === result.token)
    const { job } = this.#ended[at] ?? {}
    if (job === undefined) return false
    this.#ended[at] = { job, result }
    return true
  }

  /** They could not be recorded. */
  putBack(ended: readonly EndedJob[]): void {
    this.#ended.unshift(...ended)
  }

  /** Asks one job to end; nothing happens if it has. */
  abort(token: string, reason: StopReason): void {
    this.#aborts.get(token)?.abort(reason)
  }

  /**
   * Asks every job to end, including those being started: a run may be the cause of this call. Each job's whole process
   * group is gone before its result arrives.
   */
  abortAll(reason: StopReason): void {
    this.#abortReason ??= reason
    for (const abort of this.#aborts.values()) abort.abort(reason)
  }

  async allOver(): Promise<void> {
    await Promise.all(this.#jobs.values())
  }
}
