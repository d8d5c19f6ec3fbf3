import type { Attempt, Workflow } from './graph/workflow.ts'
import { Heap } from './queue/heap.ts'
import type { Resource } from './queue/resource.ts'
import type { Tier } from './queue/tier.ts'

/** The possible events. */
export type Event =
  | { readonly kind: 'arrival'; readonly index: number }
  | { readonly kind: 'end'; readonly attempt: Attempt }
  | { readonly kind: 'straggling'; readonly attempt: Attempt }
  | { readonly kind: 'token'; readonly resource: Resource; readonly tier: Tier }
  | { readonly kind: 'retry'; readonly workflow: Workflow; readonly node: number; readonly iteration: number }

/** Virtual time: it jumps from one event to the next. */
export class Timeline {
  readonly #events = new Heap<Event>()
  #now = 0

  /** Milliseconds from the start. */
  get now(): number {
    return this.#now
  }

  /** Whether more happens at this very moment. */
  get isMomentOver(): boolean {
    return this.#events.firstKey > this.#now
  }

  plan(time: number, event: Event): void {
    this.#events.push(time, event)
  }

  next(): Event | undefined {
    const time = this.#events.firstKey
    const event = this.#events.pop()
    if (event !== undefined) this.#now = time
    return event
  }
}
