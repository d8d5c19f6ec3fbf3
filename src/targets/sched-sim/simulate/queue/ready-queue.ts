import type { Ready } from '../graph/workflow.ts'
import { Heap } from './heap.ts'

/** What a node's position in the queue depends on: one part is fixed, the other grows with its workflow's age. */
export interface Score {
  readonly fixed: number
  readonly isAgeing: boolean
}

/** Nodes that the policy treats the same: of one step, with the same possible tiers. */
type Kind = Pick<Ready, 'step' | 'reach'>

interface Group extends Kind {
  readonly ageing: Heap<Ready>
  readonly ageless: Heap<Ready>
}

/**
 * The nodes that wait for one resource, best score first, then first come. All ageing scores grow at the same rate, so
 * their order never changes: they are kept separate from those that don't age, and only the best of each kind are
 * compared on request.
 */
export class ReadyQueue {
  readonly #groups: Group[] = []
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
    const group = this.#groupOf(item)
    const heap = score.isAgeing ? group.ageing : group.ageless
    heap.push(-score.fixed, item, item.place)
  }

  /** The next node among the kinds that `accepts`, without taking it. */
  next(now: number, accepts: (kind: Kind) => boolean): Ready | undefined {
    let best: Ready | undefined
    let bestScore = Number.NEGATIVE_INFINITY
    const consider = (heap: Heap<Ready>, age: number): void => {
      const first = heap.first
      if (first === undefined) return
      const score = age - heap.firstKey
      if (best !== undefined && (score < bestScore || (score === bestScore && first.place > best.place))) return
      best = first
      bestScore = score
    }
    for (const group of this.#groups) {
      drop(group.ageing)
      drop(group.ageless)
      if ((group.ageing.size === 0 && group.ageless.size === 0) || !accepts(group)) continue
      consider(group.ageing, this.#agePerMs * now)
      consider(group.ageless, 0)
    }
    return best
  }

  remove(item: Ready, now: number): void {
    if (item.isGone) return
    this.#account(now)
    this.#size--
    item.isGone = true
  }

  #groupOf({ step, reach }: Kind): Group {
    let group = this.#groups.find(other => other.step === step && other.reach === reach)
    if (group === undefined) {
      group = { step, reach, ageing: new Heap(), ageless: new Heap() }
      this.#groups.push(group)
    }
    return group
  }

  #account(now: number): void {
    this.#lengthIntegral += this.#size * (now - this.#changedAt)
    this.#changedAt = now
  }
}

function drop(heap: Heap<Ready>): void {
  while (heap.first?.isGone) heap.pop()
}
