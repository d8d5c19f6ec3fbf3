import type { Importance } from '../../analyze/search/importances.ts'
import type { Found, Objective, SearchTrial } from '../../analyze/search/trials.ts'

/** The result of a search so far. */
export interface BestOfSweep {
  readonly id: string
  readonly name: string
  readonly dir: string
  readonly ranked: Found
  readonly importances: readonly Importance[]
  readonly objectives: readonly Objective[]
  /** The variants that no other beats in all objectives; empty if there is one objective. */
  readonly front: readonly SearchTrial[]
  /** The commands that measure how good the winner is. */
  readonly next: readonly string[]
}
