/** The range of the true value; `level` is how often such intervals contain it. */
export interface Interval {
  readonly level: number
  readonly low: number
  readonly high: number
}
