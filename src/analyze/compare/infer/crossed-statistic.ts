import { type Estimate, isAvailable, valueOrNull } from '../../../stats/estimate.ts'
import { type CrossedMean, type Resampled, type Statistic, tInference, variance } from '../../../stats/index.ts'
import { unitWord } from '../../../util/words.ts'
import type { Samples } from '../../samples.ts'
import { meanOfCrossing, meansOfGroups, moreCautious } from './crossed.ts'
import { type Inference, type InferenceOptions, oneSided } from './inference.ts'

/**
 * A median or trimmed mean of units with another, recurring block. As for means the most cautious of three is used:
 * resampled units; the statistic of each level, with levels as units; and both, with the share of noise common to both
 * taken from the means.
 */
export function crossedStatistic(
  samples: Samples,
  ofUnits: Inference,
  { estimate, distribution }: Resampled,
  statistic: Statistic,
  { level, alternative }: InferenceOptions,
): Inference {
  const { crossed = [], crossedGroups = [], unit, control, candidate } = samples
  const units = valueOrNull(variance(Array.from(distribution))) ?? 0
  const unitsDf = (samples.pairedBy === null ? Math.min(control.length, candidate.length) : control.length) - 1
  const found = [
    ...crossed.map(({ block, cells }, at) => ({
      block,
      ...levelsOf([
        valuesByLevel(cells, cell => [cell.candidate, cell.control]).map(
          ([one = [], other = []]) => of(statistic, one) - of(statistic, other),
        ),
      ]),
      noise: noiseOf(valueOrNull(meanOfCrossing(crossed[at] ?? { block, levels: 0, cells }, samples))),
    })),
    ...crossedGroups.map(crossing => ({
      block: crossing.block,
      ...levelsOf(
        [crossing.control, crossing.candidate].map(({ cells }) =>
          valuesByLevel(cells, cell => [cell.value]).map(([own = []]) => of(statistic, own)),
        ),
      ),
      noise: Math.min(1, ...meansOfGroups(crossing, samples).map(noiseOf)),
    })),
  ]
  const by = (squared: number, df: number): Inference => {
    const error = Math.sqrt(squared)
    const test = tInference(estimate, error, df, { level, alternative })
    const interval = alternative === 'two-sided' ? test.interval : oneSided(estimate, error, df, level, alternative)
    return { interval, p: test.p, test: 'levels', leastP: null }
  }
  return found.reduce<Inference>((most, { block, squared, df, noise }) => {
    if (!(squared > 0) || !isAvailable(most.p)) return most
    const both = Math.max(units + Math.max(0, squared - units * noise), squared)
    const bothDf = Math.max(1, both ** 2 / (units ** 2 / unitsDf + squared ** 2 / df))
    return {
      ...[by(squared, df), by(both, bothDf)].reduce(moreCautious, most),
      test: `${most.test}, ${unitWord(unit)}s crossed with ${unitWord(block)}s`,
    }
  }, ofUnits)
}

const of = (statistic: Statistic, values: readonly number[]): number => statistic(Float64Array.from(values))

/** The noise part of the variance between units. */
const noiseOf = (mean: CrossedMean | null): number =>
  mean === null || !(mean.parts.rows > 0) ? 1 : Math.min(1, mean.parts.error / mean.parts.rows)

/** For each level the values of its cells, of one arm or of both. */
function valuesByLevel<T extends { readonly level: number }>(
  cells: readonly T[],
  valuesOf: (cell: T) => readonly number[],
): readonly (readonly number[][])[] {
  return [...Map.groupBy(cells, ({ level }) => level).values()].map(own =>
    (own[0] === undefined ? [] : valuesOf(own[0])).map((_, at) => own.map(cell => valuesOf(cell)[at] ?? Number.NaN)),
  )
}

/** The standard error from levels alone, in each arm that has some. */
function levelsOf(arms: readonly (readonly number[])[]): { readonly squared: number; readonly df: number } {
  const parts = arms.flatMap(values => {
    const own: Estimate<number> = variance(values)
    return isAvailable(own) ? [{ squared: own / values.length, df: values.length - 1 }] : []
  })
  const squared = parts.reduce((sum, part) => sum + part.squared, 0)
  return { squared, df: squared ** 2 / parts.reduce((sum, part) => sum + part.squared ** 2 / part.df, 0) }
}
