import type { MeanBounds } from '../../estimates.ts'
import type { CostEfficiency } from '../cost-efficiency.ts'
import type { CostPerSuccess, CostStatistics } from '../costs.ts'
import type { RankedVariation, Ranking } from '../ranking/ranking.ts'
import type { Association } from './associations.ts'
import type { Concentration } from './concentrations.ts'
import type { FactorContrast } from './factor-contrasts.ts'
import type { FailureMode } from './failure-modes.ts'
import type { HardBlocks } from './hard-blocks.ts'

/** patterns.json. The first eight keys are the original's. */
export interface Patterns {
  /** Factor levels with which runs succeed more often, or less, and of which that is shown. */
  readonly success_factors: readonly FactorContrast[]
  readonly failure_modes: readonly FailureMode[]
  readonly cost_efficiency: readonly CostEfficiency[]
  /** Of the runs that were judged; null where none was. */
  readonly success_rate: number | null
  readonly total_runs: number
  readonly successful_runs: number
  readonly failed_runs: number
  readonly best_variation: BestVariation | null
  readonly success_definition: string
  readonly censored_runs: number
  readonly unjudged_runs: number
  readonly success_rate_ci: MeanBounds | null
  /** What the rate would be if all that was not judged had failed, and if all of it had succeeded. */
  readonly success_rate_bounds: { readonly low: number; readonly high: number }
  readonly cost: CostStatistics
  readonly cost_per_success: CostPerSuccess
  /** Every factor level that was tried, shown or not. */
  readonly factor_contrasts: readonly FactorContrast[]
  readonly metric_associations: readonly Association[]
  readonly failure_concentrations: readonly Concentration[]
  readonly hard_blocks: readonly HardBlocks[]
  readonly ranking: Ranking
  /** All of it in sentences, the most important first. */
  readonly findings: readonly Finding[]
  readonly alpha: number
  readonly correction: string
  readonly seed: number
}

/** The first two keys are the original's. */
export interface BestVariation extends Omit<RankedVariation, 'variation_id'> {
  readonly variation_id: number
  readonly success_rate: number | null
  readonly metric: string
  readonly goal: 'maximize' | 'minimize'
  /** Those that can't be told from it. */
  readonly tied_with: readonly { readonly variation_id: number; readonly description: string }[]
}

/** Something that may be said, in one sentence. */
export interface Finding {
  readonly kind:
    | 'success'
    | 'best'
    | 'success_factor'
    | 'failure_mode'
    | 'failure_concentration'
    | 'hard_blocks'
    | 'cost'
    | 'association'
  readonly sentence: string
  /** Found by looking around: a reason to run something, not a result. */
  readonly exploratory: boolean
}
