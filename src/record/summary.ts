/** How an experiment stands: printed by `run` and `status --json`, and kept in `summary.json`. The states add up to `planned`. */
export interface Summary {
  readonly dir: string
  readonly planned: number
  readonly completed: number
  readonly failed: number
  readonly timed_out: number
  readonly cost_limited: number
  readonly rate_limited: number
  readonly stopped_early: number
  readonly cancelled: number
  readonly infra_error: number
  readonly quarantined: number
  readonly stale: number
  readonly running: number
  readonly pending: number
  /** Completed before this call. */
  readonly reused: number
  readonly attempts: number
  readonly cost_usd: number
  readonly overrun_usd: number
  readonly wall_s: number
}

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
