import type { Drawing } from '../compare/method.ts'
import type { Reading } from '../reading.ts'
import type { RunVariation } from './variation.ts'

/** What is asked: how much do runs of the same variant differ, and are there enough of them? */
export interface VarianceQuestion {
  /** The statistics of a run, each with the name that it has on the page; the first is the one that the sentence is about. */
  readonly readings: readonly { readonly name: string; readonly reading: Reading }[]
  /** As a share: 0.05 is 5 %. */
  readonly threshold: number
  /** Of the intervals. */
  readonly level: number
  readonly drawing: Drawing
}

/** How much the runs of one variant differ. Plain data: this is what `--json` prints. */
export interface Variance {
  readonly metric: string
  /** null: there is only one. */
  readonly variant: string | null
  readonly threshold: number
  readonly level: number
  /** The runs that were used, in the order in which they count. */
  readonly runs: readonly string[]
  readonly left_out: readonly { readonly run: string; readonly reason: string }[]
  readonly statistics: readonly RunVariation[]
  readonly sentence: string
  readonly warnings: readonly string[]
  /** Why there are no statistics, where there are none. */
  readonly reason: string | null
  readonly seed: number
}
