import type { Importance } from '../../analyze/search/importances.ts'
import type { Found, Objective, SearchTrial } from '../../analyze/search/trials.ts'

/** What a search found, as far as it got. */
export interface BestOfSweep {
  readonly id: string
  readonly name: string
  readonly dir: string
  readonly ranked: Found
  readonly importances: readonly Importance[]
  readonly objectives: readonly Objective[]
  /** The variants that no other beats in all objectives; empty where there is one objective. */
  readonly front: readonly SearchTrial[]
  /** The lines that tell what the winner is worth. */
  readonly next: readonly string[]
}
