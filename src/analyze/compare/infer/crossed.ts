import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  type CrossedMean,
  crossedMean,
  type Interval,
  meanOf,
  tInference,
  variance as varianceOf,
} from '../../../stats/index.ts'
import { unitWord } from '../../../util/words.ts'
import type { Samples } from '../../samples.ts'
import type { ArmCrossing, Crossing, GroupCrossing } from '../../units/crossing.ts'
import { fewUnits } from '../method.ts'
import { type Inference, type InferenceOptions, oneSided } from './inference.ts'

export type MeanMethod = 't' | 'studentized' | 'wider'

/**
 * What is found on units whose other block comes back from one to the next: five trained models on the same fifty tasks. Chance
 * then has three sources, and with few levels none of their estimates can be relied on alone. So the most cautious of three tests
 * counts: units alone, levels of the other block alone, and both together (crossed random effects). docs/calibration.md has what
 * that comes to, where levels do shift all units and where they don't. Two groups alike: each arm's levels shift all of its units.
 */
export function crossedWith(
  samples: Samples,
  method: MeanMethod,
  options: InferenceOptions,
  ofUnits: (samples: Samples, method: MeanMethod, options: InferenceOptions) => Inference,
): Inference {
  const { crossed = [], crossedGroups = [], unit } = samples
  const found = crossed.reduce<Inference>(
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
  return crossedGroups.reduce<Inference>((most, crossing) => {
    if (!isAvailable(most.p)) return most
    const levels = levelsOfGroups(samples, crossing)
    const by = Math.min(levels.control.length, levels.candidate.length) < fewUnits ? 't' : method
    return {
      ...[ofUnits(levels, by, options), ofBothGroups(samples, crossing, options)].reduce(moreCautious, most),
      test: `${most.test}, ${unitWord(unit)}s crossed with ${unitWord(crossing.block)}s`,
    }
  }, found)
}

/** Of each arm by itself; null: nothing comes back in it, or too little to tell. */
export const meansOfGroups = ({ control, candidate }: GroupCrossing): readonly CrossedMean[] =>
  [control, candidate].flatMap(arm => valueOrNull(meanOfArm(arm)) ?? [])

const meanOfArm = ({ cells }: ArmCrossing): Estimate<CrossedMean> =>
  crossedMean(cells.map(({ unit, level, value }) => ({ row: unit, column: level, value })))

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

function ofBoth(
  { estimate, standardError, df }: Pick<CrossedMean, 'estimate' | 'standardError' | 'df'>,
  { level, alternative }: InferenceOptions,
): Inference {
  const test = tInference(estimate, standardError, df, { level, alternative })
  return {
    interval: alternative === 'two-sided' ? test.interval : oneSided(estimate, standardError, df, level, alternative),
    p: test.p,
    test: 'crossed random effects',
    leastP: null,
  }
}

const levelsOfGroups = (samples: Samples, crossing: GroupCrossing): Samples => ({
  control: ofArm(samples.control, crossing.control).levels,
  candidate: ofArm(samples.candidate, crossing.candidate).levels,
  pairedBy: null,
  unit: '',
  keys: [],
  isCounted: false,
  dropped: { control: [], candidate: [], unmatched: [] },
})

/** Each arm's mean has a variance of its own, and degrees of freedom by Satterthwaite. */
function ofBothGroups(samples: Samples, crossing: GroupCrossing, options: InferenceOptions): Inference {
  const [own, other] = [ofArm(samples.control, crossing.control), ofArm(samples.candidate, crossing.candidate)]
  const variance = own.variance + other.variance
  const df = variance ** 2 / (own.variance ** 2 / own.df + other.variance ** 2 / other.df)
  return ofBoth({ estimate: other.mean - own.mean, standardError: Math.sqrt(variance), df }, options)
}

interface ArmMean {
  readonly mean: number
  readonly variance: number
  readonly df: number
  /** What each level alone would say of the mean; where none comes back, the units. */
  readonly levels: readonly number[]
}

function ofArm(units: readonly number[], crossing: ArmCrossing): ArmMean {
  const found = meanOfArm(crossing)
  if (isAvailable(found))
    return { mean: found.estimate, variance: found.standardError ** 2, df: found.df, levels: found.columns }
  const variance = (valueOrNull(varianceOf(units)) ?? 0) / units.length
  return { mean: meanOf(units), variance, df: units.length - 1, levels: units }
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
