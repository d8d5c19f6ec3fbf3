/** How long recent runs took: brief ones travel several at a time, and the next is fetched early. */
export class Pace {
  #meanS: number | null = null

  /** An attempt took this long. */
  took(wallS: number): void {
    this.#meanS = this.#meanS === null ? wallS : 0.9 * this.#meanS + 0.1 * wallS
  }

  /** How many jobs travel together: enough work that transport costs little in comparison, and no more. */
  get parcelSize(): number {
    if (this.#meanS === null) return 1
    return Math.max(1, Math.min(mostTogether, Math.floor(worthAParcelS / this.#meanS)))
  }

  /** Whether waiting for the next job would be a noticeable part of a run. */
  get isBrief(): boolean {
    return this.#meanS !== null && this.#meanS < briefS
  }
}

const worthAParcelS = 0.05
const mostTogether = 16
const briefS = 0.5
