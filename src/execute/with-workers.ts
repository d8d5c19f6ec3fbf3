import type { Experiment } from '../define/experiment.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../define/run.ts'
import type { Adopted, Executor, ExecutorListener, JobIo } from './executor.ts'

/** Queue workers that are started for one experiment, and end with it. */
export interface Workers {
  /** Never rejects: errors are reported, and retried where that makes sense. */
  start(tell: (message: string) => void): void
  /** Including workers that an earlier process left, if they don't end by themselves. */
  stop(tell: (message: string) => void): Promise<void>
}

/** An executor that starts and ends the workers that take its jobs. */
export class WithWorkers implements Executor {
  readonly startsMachines: boolean
  readonly #queue: Executor
  readonly #workers: Workers
  #tell: ((message: string) => void) | null = null
  #isStarted = false
  #isClosing = false

  constructor(queue: Executor, workers: Workers, startsMachines = false) {
    this.#queue = queue
    this.#workers = workers
    this.startsMachines = startsMachines
  }

  get slots(): number {
    return this.#queue.slots
  }

  resize(slots: number): void {
    this.#queue.resize(slots)
  }

  follow(experiment: Experiment): void {
    this.#queue.follow(experiment)
  }

  free(): number {
    return this.#queue.free()
  }

  /** The first job may find a free slot of a worker that was started elsewhere. */
  start(job: Job, io: JobIo): Promise<AttemptResult> {
    this.expectJobs()
    return this.#queue.start(job, io)
  }

  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    return this.#queue.adopt(unfinished)
  }

  listen(listener: ExecutorListener): void {
    // Workers that end with the experiment are not reported as missing.
    const notice = (message: string): void => {
      if (!this.#isClosing) listener.notice(message)
    }
    this.#tell = message => listener.notice(message)
    this.#queue.listen?.({ ...listener, notice })
  }

  expectJobs(): void {
    if (this.#isStarted || this.#tell === null) return
    this.#isStarted = true
    this.#workers.start(this.#tell)
  }

  async settled(): Promise<void> {
    await this.#queue.settled?.()
  }

  /**
   * Workers end first, while their queue still exists. If this coordinator was refused, the other process keeps its
   * workers.
   */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#tell !== null) await this.#workers.stop(this.#tell)
    await this.#queue.close()
  }
}
