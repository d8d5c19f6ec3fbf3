import type { Series } from './job.ts'
import type { Outcome } from './outcome.ts'
import type { Run } from './run.ts'

/** A finished run as plain data. */
export interface Observation {
  readonly run: Run
  readonly outcome: Outcome
  readonly metrics: { readonly [metric: string]: number }
  readonly series: readonly Series[]
  readonly cost_usd: number | null
  readonly wall_s: number
}

/** A run with everything that is known of its last attempt. */
export interface RecordedRun {
  readonly id: number
  readonly run: Run
  /** One of the states that add up to `planned`. */
  readonly state: string
  readonly outcome: Outcome | null
  readonly attempts: number
  readonly started_at: number | null
  readonly ended_at: number | null
  readonly wall_s: number | null
  readonly cpu_s: number | null
  readonly max_rss_bytes: number | null
  readonly cost_usd: number | null
  /** Whether that is a guess on the safe side, because the run did not say. */
  readonly cost_assumed: boolean
  /** Where its files are: relative to the experiment's directory, if inside it; null: it has none. */
  readonly place: string | null
  /** The declared outputs that were there when it ended. */
  readonly outputs: readonly string[]
  readonly metrics: { readonly [metric: string]: number }
  /** Metrics that were declared and could not be read, and why. */
  readonly problems: { readonly [metric: string]: string }
}

/** Metrics that assay's own targets report under a fixed name, and that analysis knows. */
export const knownMetrics = {
  /** Whether the run passed what it was held to: 0 or 1. */
  passed: 'passed',
  /** What a person said of the same: 0 or 1. */
  label: 'label',
  /** What one judge said, 0 or 1: this and the judge's name, `judge:gpt-4o`. */
  judge: 'judge:',
} as const
