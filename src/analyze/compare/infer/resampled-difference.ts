import { type Estimate, unavailable, whenAvailable } from '../../../stats/estimate.ts'
import {
  areConstant,
  medianStatistic,
  pairedDifferences,
  type Resampled,
  type ResampleOptions,
  resampleDifference,
  resampleNested,
  resamplePairs,
  resampleSmoothly,
  type Statistic,
  trimmedMeanStatistic,
} from '../../../stats/index.ts'
import type { Drawing } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import { sourceOf } from '../method.ts'
import { areWeighted, resampledWeighted } from './weighted.ts'

/** The resampled objects: units; units, then the runs of each; or units, each slightly smoothed. */
export type Draw = 'units' | 'nested' | 'smooth'

/** The distribution of the difference over resamples, for intervals and its picture. */
export function resampledDifference(samples: Samples, drawing: Drawing, draw: Draw = 'units'): Estimate<Resampled> {
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  if (areWeighted(samples)) return resampledWeighted(samples, resampling)
  switch (draw) {
    case 'units':
      return byUnits(samples, resampling)
    case 'nested':
      return byUnitsAndRuns(samples, resampling)
    case 'smooth':
      return blurred(samples, resampling)
  }
}

/** How the units of an arm become one number. */
export const statisticAcross = ({
  across,
}: {
  readonly across?: Samples['across'] | undefined
}): Statistic | undefined =>
  across === 'median' ? medianStatistic : across === 'iqm' ? trimmedMeanStatistic(0.25) : undefined

function byUnits(samples: Samples, resampling: ResampleOptions): Estimate<Resampled> {
  const { control, candidate, pairedBy } = samples
  const statistic = statisticAcross(samples)
  const options = statistic === undefined ? resampling : { ...resampling, statistic }
  return pairedBy === null
    ? resampleDifference(candidate, control, options)
    : resamplePairs(candidate, control, options)
}

function byUnitsAndRuns({ control, candidate, pairedBy, lists }: Samples, resampling: ResampleOptions) {
  const ours = lists?.control ?? control.map(value => [value])
  const theirs = lists?.candidate ?? candidate.map(value => [value])
  const isSingle = [...ours, ...theirs].every(list => list.length === 1)
  // Single runs of pairs that all differ by the same amount vary only by rounding.
  if (pairedBy !== null)
    return unlessConstant(isSingle ? candidate : [], control, () =>
      resampleNested(theirs, { ...resampling, control: ours }),
    )
  return whenAvailable(resampleNested(theirs, resampling), one =>
    whenAvailable(resampleNested(ours, resampling), other => minus(one, other)),
  )
}

function blurred({ control, candidate, pairedBy }: Samples, resampling: ResampleOptions): Estimate<Resampled> {
  if (pairedBy !== null) return unlessConstant(candidate, control, values => resampleSmoothly(values, resampling))
  return whenAvailable(resampleSmoothly(candidate, resampling), one =>
    whenAvailable(resampleSmoothly(control, resampling), other => minus(one, other)),
  )
}

/** Pairs that all differ by the same amount, up to rounding, have no spread to resample. */
function unlessConstant(
  candidate: readonly number[],
  control: readonly number[],
  resample: (differences: readonly number[]) => Estimate<Resampled>,
): Estimate<Resampled> {
  if (candidate.length === 0) return resample([])
  return whenAvailable(pairedDifferences(candidate, control), differences => {
    if (differences.values.length < 2) return unavailable('too_few_values')
    return areConstant(differences) ? unavailable('zero_variance') : resample(differences.values)
  })
}

/** Two arms that were resampled independently. */
const minus = (one: Resampled, other: Resampled): Resampled => ({
  estimate: one.estimate - other.estimate,
  distribution: one.distribution.map((value, round) => value - (other.distribution[round] ?? 0)),
  jackknife: [
    ...one.jackknife.map(list => Array.from(list, value => value - other.estimate)),
    ...other.jackknife.map(list => Array.from(list, value => one.estimate - value)),
  ],
})
