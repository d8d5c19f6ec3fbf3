import { isAbsolute, join } from 'node:path'
import type { Outcome } from '../../define/outcome.ts'
import type { Run } from '../../define/run.ts'

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

/** The folder of a run's files, of an experiment in this directory; null: it has none. */
export function folderOf({ place }: Pick<RecordedRun, 'place'>, dir: string): string | null {
  if (place === null) return null
  return isAbsolute(place) ? place : join(dir, place)
}
