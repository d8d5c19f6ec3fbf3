import type { CostPerSuccess } from './costs.ts'
import type { VariationStatistics } from './statistics.ts'

/** Results per dollar. The first two keys are those of Scenario Lab. */
export interface CostEfficiency {
  readonly variation_id: number
  /** Successful runs per dollar, including the cost of failures. */
  readonly runs_per_dollar: number
  readonly description: string
  readonly cost_per_success: CostPerSuccess
}

/** Best first; only variants with successful runs and known costs above 0. */
export function costEfficiency(variations: VariationStatistics): readonly CostEfficiency[] {
  return Object.values(variations)
    .flatMap(({ variation_id, description, cost_per_success }) => {
      const { value } = cost_per_success
      return value === null || value <= 0
        ? []
        : [{ variation_id, runs_per_dollar: 1 / value, description, cost_per_success }]
    })
    .sort((a, b) => b.runs_per_dollar - a.runs_per_dollar)
}
