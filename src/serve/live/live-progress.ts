import type { Progress } from '../wire.ts'
import { progressOf } from './progress.ts'

/** The maximum age of the data; more if reading takes long, so that it never takes more than a tenth of the time. */
const freshMs = 900
const leastIdle = 10

interface Watched {
  readonly progress: Progress
  readonly goodUntil: number
}

/** The state of experiments, read once for all requests. */
export class LiveProgress {
  readonly #watched = new Map<string, Watched>()

  of(dir: string): Progress {
    const known = this.#watched.get(dir)
    if (known !== undefined && performance.now() < known.goodUntil) return known.progress
    const started = performance.now()
    const progress = progressOf(dir, Date.now())
    const ended = performance.now()
    this.#watched.set(dir, { progress, goodUntil: ended + Math.max(freshMs, leastIdle * (ended - started)) })
    return progress
  }

  /** Something was changed from here: the cached state is outdated. */
  forget(dir: string): void {
    this.#watched.delete(dir)
  }
}
