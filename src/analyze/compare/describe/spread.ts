import { valueOrNull } from '../../../stats/estimate.ts'
import { clusteredError, varianceComponents } from '../../../stats/index.ts'
import type { ArmSamples } from '../../samples.ts'

/** What varies in an arm whose units hold several runs: the units, or the runs of each. */
export interface ArmSpread {
  readonly units: number
  readonly runs: number
  readonly between_sd: number | null
  readonly within_sd: number | null
  /** How alike the runs of a unit are: the share of a run's variance that goes with its unit. */
  readonly intraclass_correlation: number | null
  /** How many times the variance of the mean is that of as many independent runs, and how many of those would say as much. */
  readonly design_effect: number | null
  /** At most as many as there are. */
  readonly effective_runs: number | null
}

/** Null where every unit is a single run: then there is nothing to take apart. */
export function spreadOf({
  lists,
}: Pick<ArmSamples, 'lists'>): { readonly control: ArmSpread; readonly candidate: ArmSpread } | null {
  const isSingle = [...lists.control, ...lists.candidate].every(list => list.length < 2)
  return isSingle ? null : { control: armSpread(lists.control), candidate: armSpread(lists.candidate) }
}

function armSpread(lists: readonly (readonly number[])[]): ArmSpread {
  const components = valueOrNull(varianceComponents(lists))
  const error = valueOrNull(
    clusteredError(
      lists.flat(),
      lists.flatMap((list, unit) => list.map(() => unit)),
    ),
  )
  const runs = lists.reduce((sum, list) => sum + list.length, 0)
  const worth = error && valueOrNull(error.effectiveSize)
  const root = (variance: number | null): number | null => (variance === null ? null : Math.sqrt(variance))
  return {
    units: lists.length,
    runs,
    between_sd: root(components && valueOrNull(components.betweenVariance)),
    within_sd: root(components && valueOrNull(components.withinVariance)),
    intraclass_correlation: components && valueOrNull(components.intraclassCorrelation),
    design_effect: error && valueOrNull(error.designEffect),
    effective_runs: worth === null ? null : Math.min(runs, worth),
  }
}
