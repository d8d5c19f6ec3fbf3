/** What the whole experiment will have cost in the end, by what its runs have cost up to now. */
export interface CostForecast {
  readonly estimate_usd: number
  readonly low_usd: number
  readonly high_usd: number
  /** Of the interval. */
  readonly level: number
  /** How many runs it rests on, and how many are still to come. */
  readonly runs: number
  readonly to_come: number
}
