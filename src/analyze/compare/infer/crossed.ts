import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  type CrossedDesign,
  type CrossedMean,
  crossedMean,
  type Interval,
  meanOf,
  tInference,
  variance as varianceOf,
  type WeightedRows,
} from '../../../stats/index.ts'
import { unitWord } from '../../../util/words.ts'
import type { Samples } from '../../samples.ts'
import type { ArmCrossing, Crossing, GroupCrossing } from '../../units/crossing.ts'
import { factorsOf } from '../../units/weighting.ts'
import { fewUnits } from '../method.ts'
import { type Inference, type InferenceOptions, oneSided } from './inference.ts'
import { areWeighted, type WeightedSamples, weightedArm, weightedDifference } from './weighted.ts'

export type MeanMethod = 't' | 'studentized' | 'wider'

/**
 * Inference for units with another, recurring block: for example five trained models on the same fifty tasks. There are
 * then three sources of chance, and with few levels no estimate of them is reliable alone. So the most cautious of
 * three tests is used: units alone, levels of the other block alone, and both together (crossed random effects).
 * docs/calibration.md has its error rates, with and without an effect of levels. The same for two groups: each arm's
 * levels shift all of its units.
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
      const both = meanOfCrossing(crossing, samples)
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

/** The mean of each arm by itself; none if no block recurs in it, or too little is known. */
export const meansOfGroups = (crossing: GroupCrossing, samples: Samples): readonly CrossedMean[] =>
  (['control', 'candidate'] as const).flatMap(side => valueOrNull(meanOfArm(crossing[side], samples, side)) ?? [])

const meanOfArm = ({ cells }: ArmCrossing, samples: Samples, side: Side): Estimate<CrossedMean> =>
  crossedMean(
    cells.map(({ unit, level, value }) => ({ row: unit, column: level, value })),
    weightedRows(samples, side),
  )

type Side = 'control' | 'candidate'

/** Candidate minus control in each cell of unit and level. */
export const meanOfCrossing = ({ cells }: Crossing, samples: Samples): Estimate<CrossedMean> =>
  crossedMean(
    cells.map(({ unit, level, control, candidate }) => ({ row: unit, column: level, value: candidate - control })),
    weightedRows(samples, 'control'),
  )

/**
 * Units and levels as the test needs them, with their parts of the variance of the difference; null: too little data to
 * estimate.
 */
export function designOfPairs(crossing: Crossing, samples: Samples): CrossedDesign | null {
  const both = valueOrNull(meanOfCrossing(crossing, samples))
  return both && { units: samples.control.length, levels: both.columns.length, parts: both.parts }
}

/** The same of two groups: the control's, then the candidate's. */
export const designsOfGroups = (crossing: GroupCrossing, samples: Samples): readonly CrossedDesign[] =>
  (['control', 'candidate'] as const).map(side => {
    const units = samples[side].length
    const both = valueOrNull(meanOfArm(crossing[side], samples, side))
    if (both !== null) return { units, levels: both.columns.length, parts: both.parts }
    const { variance } = ofArm(samples, crossing, side)
    return { units, levels: 1, parts: { rows: variance, columns: 0, error: 0 } }
  })

/** The weight of each unit, and the standard error of their weighted mean if levels have no effect. */
function weightedRows(samples: Samples, side: Side): WeightedRows | undefined {
  if (!areWeighted(samples)) return undefined
  const found = samples.pairedBy === null ? weightedArm(samples, side) : weightedDifference(samples)
  return isAvailable(found) ? rowsWith(samples, side, found) : undefined
}

/** The same for a known weighted mean. */
export function rowsWith(
  { weighting }: WeightedSamples,
  side: Side,
  { standardError, df }: { readonly standardError: number; readonly df: number },
): WeightedRows {
  const factors = factorsOf(weighting[side], weighting.shares)
  return { weightOf: row => factors[row] ?? 0, variance: standardError ** 2, df }
}

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
  control: ofArm(samples, crossing, 'control').levels,
  candidate: ofArm(samples, crossing, 'candidate').levels,
  pairedBy: null,
  unit: '',
  keys: [],
  isCounted: false,
  dropped: { control: [], candidate: [], unmatched: [] },
})

/** Each arm's mean has its own variance, and degrees of freedom by Satterthwaite. */
function ofBothGroups(samples: Samples, crossing: GroupCrossing, options: InferenceOptions): Inference {
  const [own, other] = [ofArm(samples, crossing, 'control'), ofArm(samples, crossing, 'candidate')]
  const variance = own.variance + other.variance
  const df = variance ** 2 / (own.variance ** 2 / own.df + other.variance ** 2 / other.df)
  return ofBoth({ estimate: other.mean - own.mean, standardError: Math.sqrt(variance), df }, options)
}

interface ArmMean {
  readonly mean: number
  readonly variance: number
  readonly df: number
  /** The estimate of the mean from each level alone; if none recurs, from the units. */
  readonly levels: readonly number[]
}

function ofArm(samples: Samples, crossing: GroupCrossing, side: Side): ArmMean {
  const found = meanOfArm(crossing[side], samples, side)
  if (isAvailable(found))
    return { mean: found.estimate, variance: found.standardError ** 2, df: found.df, levels: found.columns }
  const units = samples[side]
  const weighted = areWeighted(samples) ? valueOrNull(weightedArm(samples, side)) : null
  const own = weighted ?? {
    estimate: meanOf(units),
    standardError: Math.sqrt((valueOrNull(varianceOf(units)) ?? 0) / units.length),
    df: units.length - 1,
  }
  const alone = { mean: own.estimate, variance: own.standardError ** 2, df: own.df, levels: units }
  // A single level shifts all of them by as much as a level of the other arm: these data can't show its effect on the
  // mean.
  const others = crossing[side].levels === 1 ? meanOfArm(crossing[otherSide[side]], samples, otherSide[side]) : null
  if (others === null || !isAvailable(others)) return alone
  const shift = valueOrNull(varianceOf(others.columns)) ?? 0
  return { ...alone, variance: alone.variance + shift, df: others.columns.length - 1 }
}

const otherSide: Readonly<Record<Side, Side>> = { control: 'candidate', candidate: 'control' }

/** Of two tests of the same hypothesis, the more cautious for each end and for p. */
export function moreCautious(one: Inference, other: Inference): Inference {
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
