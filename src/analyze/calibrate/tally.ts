import type { Answer } from './procedure.ts'

/** A share that was counted, and by how much it may be off by chance alone. */
export interface Share {
  readonly share: number
  /** Monte Carlo standard error. */
  readonly error: number
}

export interface TallyResult {
  /** How often the interval holds the truth, where there is a difference and an interval. */
  readonly coverage: Share | null
  /** How often a difference is claimed where there is none. */
  readonly typeI: Share
  /** How often the difference is found. */
  readonly power: Share
  /** Of the intervals, the median. */
  readonly width: number | null
  /** How often there is no interval. */
  readonly unanswered: number
}

/** Counts what a procedure says over many trials. */
export class Tally {
  readonly #widths: number[] = []
  #covered = 0
  #intervals = 0
  readonly #trials = { with: 0, without: 0 }
  readonly #rejected = { with: 0, without: 0 }

  add({ covers, width, rejects }: Answer, hasDifference: boolean): void {
    const kind = hasDifference ? 'with' : 'without'
    this.#trials[kind]++
    if (rejects) this.#rejected[kind]++
    if (!hasDifference || covers === null) return
    this.#intervals++
    if (covers) this.#covered++
    if (width !== null) this.#widths.push(width)
  }

  result(): TallyResult {
    const sorted = Float64Array.from(this.#widths).sort()
    return {
      coverage: this.#intervals === 0 ? null : shareOf(this.#covered, this.#intervals),
      typeI: shareOf(this.#rejected.without, this.#trials.without),
      power: shareOf(this.#rejected.with, this.#trials.with),
      width: sorted[Math.floor(sorted.length / 2)] ?? null,
      unanswered: 1 - this.#intervals / this.#trials.with,
    }
  }
}

/** The error of a share of 0 or 1 is that of half a trial more: nothing that was counted is certain. */
function shareOf(count: number, trials: number): Share {
  const share = count / trials
  const inside = Math.min(1 - 0.5 / trials, Math.max(0.5 / trials, share))
  return { share, error: Math.sqrt((inside * (1 - inside)) / trials) }
}
