import { Pace } from '../pace.ts'
import type { OpenQueue } from './experiment-queues.ts'
import type { WorkersSeen } from './workers-seen.ts'

/** Runs that wait for machines that are not present, beside those that can be executed. */
const mostUnserved = 1_000

interface Around {
  readonly queues: readonly OpenQueue[]
  readonly workers: WorkersSeen
  /** The number of jobs under way, on all queues and on one. */
  count(): number
  countIn(queue: OpenQueue): number
}

/** How many jobs should be on the queue, and how many travel together: it follows the workers and their pace. */
export class Demand {
  readonly #around: Around
  readonly #pace = new Pace()
  /** A search learns from ended runs; waiting runs were chosen without that knowledge. */
  readonly #isSearch: boolean
  /** The user's limit on jobs at a time; null: as many as workers offer. */
  #most: number | null

  constructor(around: Around, mostJobs: number | null, isSearch: boolean) {
    this.#around = around
    this.#most = mostJobs
    this.#isSearch = isSearch
  }

  resize(slots: number): void {
    if (this.#most !== null) this.#most = slots
  }

  /** A run took this long. */
  took(wallS: number): void {
    this.#pace.took(wallS)
  }

  /** The slots that workers offer, up to the user's limit. */
  get slots(): number {
    const offered = this.#around.workers.slots
    return this.#most === null ? offered : Math.min(offered, this.#most)
  }

  get parcelSize(): number {
    return this.#mayRunAhead ? this.#pace.parcelSize : 1
  }

  /**
   * How many more jobs to send: a few more than there are slots wait on the server, so that no worker waits for the
   * next.
   */
  free(): number {
    const { slots } = this
    return Math.max(0, slots + this.#aheadOf(slots) - this.#around.count() + this.#unserved())
  }

  #aheadOf(slots: number): number {
    if (!this.#mayRunAhead) return 0
    return this.#pace.isBrief ? 2 * slots * this.#pace.parcelSize : Math.ceil(slots / 2)
  }

  /** Runs that wait for special machines take no slot from runs that others can execute. */
  #unserved(): number {
    const { queues, workers } = this.#around
    if (queues.length === 1 || this.#most !== null) return 0
    const waiting = queues.map(queue => {
      const slots = workers.slotsFor(queue)
      return Math.max(0, this.#around.countIn(queue) - slots - this.#aheadOf(slots))
    })
    return Math.min(
      mostUnserved,
      waiting.reduce((sum, one) => sum + one, 0),
    )
  }

  get #mayRunAhead(): boolean {
    return this.#most === null && !this.#isSearch
  }
}
