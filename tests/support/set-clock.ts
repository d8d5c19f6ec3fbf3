import type { Clock } from '../../src/util/time.ts'

/** A clock that stands still until it is moved. */
export class SetClock implements Clock {
  #now: number
  #set = 0
  #timers: { readonly at: number; readonly callback: () => void }[] = []

  constructor(now = 1_000_000) {
    this.#now = now
  }

  now(): number {
    return this.#now + this.#set
  }

  elapsed(): number {
    return this.#now
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter(one => one !== timer)
    }
  }

  /** When the next timer is due, or null. */
  get next(): number | null {
    return this.#timers.length === 0 ? null : Math.min(...this.#timers.map(({ at }) => at))
  }

  /** Moves on, through everything that is due on the way. */
  pass(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const [due] = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)
      if (due === undefined) break
      this.#timers = this.#timers.filter(one => one !== due)
      this.#now = Math.max(this.#now, due.at)
      due.callback()
    }
    this.#now = end
  }

  /** As if the process had been stopped for that long: timers due meanwhile fire late, all at once. */
  standStill(ms: number): void {
    this.#now += ms
    this.pass(0)
  }

  /** As if it had been set: only the displayed time changes. */
  jump(ms: number): void {
    this.#set += ms
  }
}
