import type { Experiment } from '../define/experiment.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../define/run.ts'
import type { Adopted, Executor, ExecutorListener, JobIo } from './executor.ts'

/** Workers of a queue that are started for one experiment, and end with it. */
export interface Workers {
  /** As of an executor. */
  readonly startMachines?: boolean
  /** Never rejects: what goes wrong is told, and tried again where that makes sense. */
  start(tell: (message: string) => void): void
  stop(): Promise<void>
}

/** An executor whose jobs are taken by workers that it starts and ends itself. */
export class WithWorkers implements Executor {
  readonly #queue: Executor
  readonly #workers: Workers
  #isClosing = false

  constructor(queue: Executor, workers: Workers) {
    this.#queue = queue
    this.#workers = workers
  }

  get slots(): number {
    return this.#queue.slots
  }

  get startsMachines(): boolean {
    return this.#workers.startMachines ?? false
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

  start(job: Job, io: JobIo): Promise<AttemptResult> {
    return this.#queue.start(job, io)
  }

  adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    return this.#queue.adopt(unfinished)
  }

  listen(listener: ExecutorListener): void {
    // Workers that end with the experiment are not missed.
    const notice = (message: string): void => {
      if (!this.#isClosing) listener.notice(message)
    }
    this.#queue.listen?.({ ...listener, notice })
    this.#workers.start(message => listener.notice(message))
  }

  async settled(): Promise<void> {
    await this.#queue.settled?.()
  }

  /** Workers end first: they say goodbye to a queue that is there. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#workers.stop()
    await this.#queue.close()
  }
}
