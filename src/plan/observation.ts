import type { Series } from '../define/job.ts'
import type { Outcome } from '../define/outcome.ts'
import type { Run } from '../define/run.ts'

/** A finished run as plain data. */
export interface Observation {
  readonly run: Run
  readonly outcome: Outcome
  readonly metrics: { readonly [metric: string]: number }
  readonly series: readonly Series[]
  readonly cost_usd: number | null
  readonly wall_s: number
}
