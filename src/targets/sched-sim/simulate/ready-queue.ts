import { Heap } from './heap.ts'
import type { Ready } from './workflow.ts'

/** What a node's place in the queue depends on: part is fixed, part grows while its workflow ages. */
export interface Score {
  readonly fixed: number
  readonly isAgeing: boolean
}

/**
 * The nodes that wait for one resource, best score first. All ageing scores grow at the same rate, so their order never
 * changes: they are kept apart from those that don't age, and only the two best are compared when somebody asks.
 */
export class ReadyQueue {
  readonly #ageing = { critical: new Heap<Ready>(), other: new Heap<Ready>() }
  readonly #ageless = { critical: new Heap<Ready>(), other: new Heap<Ready>() }
  readonly #agePerMs: number
  #size = 0
  #changedAt = 0
  #lengthIntegral = 0

  constructor(agePerMs: number) {
    this.#agePerMs = agePerMs
  }

  get size(): number {
    return this.#size
  }

  /** Waiting nodes times milliseconds, so far. */
  lengthIntegral(now: number): number {
    this.#account(now)
    return this.#lengthIntegral
  }

  add(item: Ready, score: Score, now: number): void {
    this.#account(now)
    this.#size++
    const heaps = score.isAgeing ? this.#ageing : this.#ageless
    heaps[item.isCritical ? 'critical' : 'other'].push(-score.fixed, item)
  }

  /** The next node, without taking it; `onlyCritical`: among those that may be escalated. */
  next(now: number, onlyCritical: boolean): Ready | undefined {
    let best: Ready | undefined
    let bestScore = Number.NEGATIVE_INFINITY
    const consider = (heap: Heap<Ready>, age: number): void => {
      while (heap.first?.isGone) heap.pop()
      const score = age - heap.firstKey
      if (heap.first === undefined || score <= bestScore) return
      best = heap.first
      bestScore = score
    }
    const age = this.#agePerMs * now
    consider(this.#ageing.critical, age)
    consider(this.#ageless.critical, 0)
    if (onlyCritical) return best
    consider(this.#ageing.other, age)
    consider(this.#ageless.other, 0)
    return best
  }

  remove(item: Ready, now: number): void {
    if (item.isGone) return
    this.#account(now)
    this.#size--
    item.isGone = true
  }

  #account(now: number): void {
    this.#lengthIntegral += this.#size * (now - this.#changedAt)
    this.#changedAt = now
  }
}
