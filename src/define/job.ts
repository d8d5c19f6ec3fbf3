import type { Outcome } from './outcome.ts'
import type { Run } from './run.ts'

/** A run's next attempt as plain data, given to a worker. */
export interface Job {
  readonly run: Run
  /** The how-many-th attempt, from 1. */
  readonly attempt: number
  /** Fences this attempt: a result with another token is late and does not count. */
  readonly token: string
  readonly timeout_ms: number | null
  /** Milliseconds between SIGTERM and SIGKILL. */
  readonly grace_ms: number
  readonly run_budget_usd: number | null
}

/** What came of a job, as plain data; also what `result.json` holds. */
export interface AttemptResult {
  readonly token: string
  readonly outcome: Outcome
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number
  readonly wall_s: number
  /** null: not measured. */
  readonly cpu_s: number | null
  readonly max_rss_bytes: number | null
  readonly metrics: readonly Reading[]
  readonly series: readonly Series[]
  /** null: not known. */
  readonly cost_usd: number | null
  /** What it is known to have cost at least, when the whole is not known. */
  readonly cost_at_least_usd: number
  /** Whether calls whose cost nobody said are in it, each as the most that it can have cost. */
  readonly cost_assumed?: boolean
  /** The declared outputs that were there at the end. */
  readonly outputs: readonly string[]
  readonly command: readonly string[]
  readonly cwd: string
  readonly has_directory: boolean
}

/** A metric's value, or the reason why there is none. */
export type Reading =
  | { readonly metric: string; readonly value: number }
  | { readonly metric: string; readonly problem: string }

/** A metric over steps; `steps[i]` belongs to `values[i]`. */
export interface Series {
  readonly metric: string
  readonly steps: readonly number[]
  readonly values: readonly number[]
}

/** An attempt without an end: running now, or cut off with its worker. */
export interface UnfinishedAttempt {
  readonly run: Run
  readonly attempt: number
  readonly token: string
  readonly pid: number | null
  readonly startTime: string | null
  readonly started_at: number
  /** The limits that it ran under. */
  readonly timeout_ms: number | null
  readonly run_budget_usd: number | null
}
