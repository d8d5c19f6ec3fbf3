import { type Estimate, isAvailable, whenAvailable } from '../../../stats/estimate.ts'
import { type CrossedMean, crossedMean, type Interval, tInference } from '../../../stats/index.ts'
import { unitWord } from '../../../util/words.ts'
import type { Samples } from '../../samples.ts'
import type { Crossing } from '../../units/crossing.ts'
import { fewUnits } from '../method.ts'
import { type Inference, type InferenceOptions, oneSided } from './inference.ts'

export type MeanMethod = 't' | 'studentized' | 'wider'

/**
 * What is found on units whose other block comes back from one to the next: five trained models on the same fifty tasks. Chance
 * then has three sources, and with few levels none of their estimates can be relied on alone. So the most cautious of three tests
 * counts: units alone, levels of the other block alone, and both together (crossed random effects). docs/calibration.md has what
 * that comes to, where levels do shift all units and where they don't.
 */
export function crossedWith(
  samples: Samples,
  method: MeanMethod,
  options: InferenceOptions,
  ofUnits: (samples: Samples, method: MeanMethod, options: InferenceOptions) => Inference,
): Inference {
  const { crossed = [], unit } = samples
  return crossed.reduce<Inference>(
    (most, crossing) => {
      const both = meanOfCrossing(crossing)
      if (!isAvailable(both) || !isAvailable(most.p)) return most
      const by = both.columns.length < fewUnits ? 't' : method
      const names = `${unitWord(unit)}s crossed with ${unitWord(crossing.block)}s`
      return {
        ...[ofUnits(levelsOf(both), by, options), ofBoth(both, options)].reduce(moreCautious, most),
        test: `${most.test}, ${names}`,
      }
    },
    ofUnits(samples, method, options),
  )
}

/** Candidate minus control where units and levels meet. */
export const meanOfCrossing = ({ cells }: Crossing): Estimate<CrossedMean> =>
  crossedMean(
    cells.map(({ unit, level, control, candidate }) => ({ row: unit, column: level, value: candidate - control })),
  )

/** The levels of the other block as units. */
const levelsOf = ({ columns }: CrossedMean): Samples => ({
  control: columns.map(() => 0),
  candidate: columns,
  pairedBy: [],
  unit: '',
  keys: [],
  isCounted: false,
  dropped: { control: [], candidate: [], unmatched: [] },
})

function ofBoth({ estimate, standardError, df }: CrossedMean, { level, alternative }: InferenceOptions): Inference {
  const test = tInference(estimate, standardError, df, { level, alternative })
  return {
    interval: alternative === 'two-sided' ? test.interval : oneSided(estimate, standardError, df, level, alternative),
    p: test.p,
    test: 'crossed random effects',
    leastP: null,
  }
}

function moreCautious(one: Inference, other: Inference): Inference {
  const interval: Estimate<Interval> = whenAvailable(one.interval, a =>
    isAvailable(other.interval)
      ? { ...a, low: Math.min(a.low, other.interval.low), high: Math.max(a.high, other.interval.high) }
      : a,
  )
  return {
    ...one,
    interval,
    p: whenAvailable(one.p, a => (isAvailable(other.p) ? Math.max(a, other.p) : a)),
  }
}
