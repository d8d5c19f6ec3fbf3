import { isAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  type CrossedDesign,
  chiSquaredQuantile,
  crossedPower,
  defaultTest,
  groupScorePower,
  type Interval,
  meanOf,
  normalQuantile,
  pairedScorePower,
  pairedTTest,
  type Sizes,
  steadyWelchTest,
} from '../../../stats/index.ts'
import type { Samples } from '../../samples.ts'
import type { Comparison } from '../comparison.ts'
import { fewUnits } from '../method.ts'
import { pairedCountsOf } from './counts.ts'
import { designOfPairs, designsOfGroups } from './crossed.ts'
import { areWeighted, weightedDifference } from './weighted.ts'

/**
 * Roughly the difference that would have been found four times out of five, from the interval of a median, or of a method
 * requested by the user: its half-width is what the test needs, and a little less than half of that is added for power.
 * The spread of few units is more often estimated too small than too large.
 */
export function detectableDifference(
  { level, low, high }: Interval,
  estimate: number,
  { largest, df, power = 0.8 }: { readonly largest: number; readonly df: number; readonly power?: number },
): Comparison['detectable'] {
  const isOneSided = !Number.isFinite(low) || !Number.isFinite(high)
  const reach = isOneSided ? Math.abs(estimate - (Number.isFinite(low) ? low : high)) : (high - low) / 2
  const needed = normalQuantile(isOneSided ? level : 1 - (1 - level) / 2)
  const difference = reach * (1 + normalQuantile(power) / needed) * middling(df)
  // Shares differ by at most 1: this many units find nothing with that power.
  return difference > 0 && difference < largest ? { difference, power, direction: 'either', by: 'width' } : null
}

/**
 * The same for means, by the power of the actual test, on normal data with this variation: with their degrees of
 * freedom (unequal spreads, weights), and over units and levels if they are crossed. A spread estimated from few units
 * is more often too small than too large: a value is used for which both are equally likely. If the interval is wider
 * than for normal data, as for skewed data, the difference is larger by the same factor. Without any spread nothing is
 * known, not even that no possible difference is found.
 */
export function detectableMean(
  samples: Samples,
  method: 't' | 'wider',
  interval: Interval,
  {
    alpha,
    alternative,
    largest,
    power = 0.8,
  }: {
    readonly alpha: number
    readonly alternative: Alternative
    /** Shares can't differ by more than all. */
    readonly largest: number
    readonly power?: number
  },
): Pick<Comparison, 'detectable' | 'undetectable'> {
  const sizes = [
    ofUnits(samples, method, interval, { alpha, alternative, power }),
    ...crossings(samples, { alpha, alternative, power }),
  ]
  const difference = Math.max(...sizes.map(size => size ?? Number.NaN))
  if (!(difference > 0)) return { detectable: null, undetectable: false }
  return difference < largest
    ? { detectable: { difference, power, direction: 'either', by: 'power' }, undetectable: false }
    : { detectable: null, undetectable: true }
}

interface Wanted {
  readonly alpha: number
  readonly alternative: Alternative
  readonly power: number
}

function ofUnits(
  samples: Samples,
  method: 't' | 'wider',
  { low, high }: Interval,
  { alpha, alternative, power }: Wanted,
): number | null {
  const { control, candidate, pairedBy, crossed = [], crossedGroups = [] } = samples
  const known = areWeighted(samples)
    ? weightedDifference(samples)
    : pairedBy === null
      ? steadyWelchTest(candidate, control)
      : pairedTTest(candidate, control)
  if (!isAvailable(known)) return null
  const { estimate, standardError, df } = known
  const sizes: Sizes = areWeighted(samples)
    ? [Math.max(2, Math.round(df + 1))]
    : pairedBy === null
      ? [candidate.length, control.length]
      : [control.length]
  const resampledFrom = method === 't' ? Number.POSITIVE_INFINITY : fewUnits
  const test = defaultTest(sizes, { alpha, alternative, fewUnits: resampledFrom, df })
  const half = Number.isFinite(high - low) ? (high - low) / 2 : Math.abs(estimate - (Number.isFinite(low) ? low : high))
  // The interval of crossed blocks is wide for other reasons.
  const shape = crossed.length + crossedGroups.length > 0 ? 1 : Math.max(1, half / (test.reach * standardError))
  const found = shiftFound({ sizes, resampledFrom, alpha, alternative, power }, df)
  return found * standardError * middling(df) * shape
}

interface Design extends Wanted {
  readonly sizes: Sizes
  readonly resampledFrom: number
}

/**
 * The shift, in standard errors, that a test finds this often: the same for all data of one size and these degrees of
 * freedom. Between whole numbers of these it is linear in 1 / df, to four digits; so a few values serve every
 * comparison of groups.
 */
function shiftFound(design: Design, df: number): number {
  const [below, above] = [Math.floor(df), Math.ceil(df)]
  if (below === above || below < 3) return shiftAt(design, df)
  const share = (1 / below - 1 / df) / (1 / below - 1 / above)
  return (1 - share) * shiftAt(design, below) + share * shiftAt(design, above)
}

function shiftAt({ sizes, resampledFrom, alpha, alternative, power }: Design, df: number): number {
  const key = [...sizes, resampledFrom, df, alpha, alternative, power].join()
  const known = shifts.get(key)
  if (known !== undefined) return known
  const test = defaultTest(sizes, { alpha, alternative, fewUnits: resampledFrom, df })
  const shift = sizeFound(test.power, alternative, power)
  if (shifts.size > 1000) shifts.clear()
  shifts.set(key, shift)
  return shift
}

const shifts = new Map<string, number>()

/** The size found with the required power, to a thousandth; NaN if there is none. */
function sizeFound(powerOf: (shift: number) => number, alternative: Alternative, power: number): number {
  const sign = alternative === 'less' ? -1 : 1
  let [low, high] = [0, 4]
  while (powerOf(sign * high) < power) {
    ;[low, high] = [high, 2 * high]
    if (high > 1e6) return Number.NaN
  }
  const root = rootIn(shift => powerOf(sign * shift) - power, low, high)
  while (high - low > 1e-4 * high) {
    const middle = (low + high) / 2
    if (middle < root) low = middle
    else high = middle
  }
  return high
}

/**
 * The root of a function that rises from below 0 to at least 0, to nine digits (regula falsi, Illinois: Dowell &
 * Jarratt 1971).
 */
function rootIn(of: (x: number) => number, from: number, to: number): number {
  let [low, high, atLow, atHigh, stayed] = [from, to, of(from), of(to), 0]
  for (let step = 0; step < 60 && high - low > 1e-9 * high; step++) {
    const next = high - (atHigh * (high - low)) / (atHigh - atLow)
    const found = of(next)
    if (Math.abs(found) <= 1e-10) return next
    // An end that stays for two steps counts half, so that it finally moves.
    if (found < 0) [low, atLow, atHigh, stayed] = [next, found, stayed === 1 ? atHigh / 2 : atHigh, 1]
    else [high, atHigh, atLow, stayed] = [next, found, stayed === -1 ? atLow / 2 : atLow, -1]
  }
  return high
}

/** The factor that makes a standard error with these degrees of freedom too large as often as too small. */
const middling = (df: number): number => Math.sqrt(df / chiSquaredQuantile(0.5, df))

const crossings = (samples: Samples, { alpha, alternative, power }: Wanted): readonly (number | null)[] => {
  const sized = (designs: readonly CrossedDesign[]): number => {
    const chance = crossedPower(designs.map(typical), { alpha, alternative })
    const error = Math.sqrt(
      designs.reduce((sum, { parts: { rows, columns, error } }) => sum + rows + Math.max(0, columns - error), 0),
    )
    return error * sizeFound(shift => chance(shift * error), alternative, power)
  }
  return [
    ...(samples.crossed ?? []).map(crossing => {
      const design = designOfPairs(crossing, samples)
      return design === null ? null : sized([design])
    }),
    ...(samples.crossedGroups ?? []).map(crossing => sized(designsOfGroups(crossing, samples))),
  ]
}

/** Mean squares that are too large as often as too small. */
const typical = ({ units, levels, parts }: CrossedDesign): CrossedDesign => ({
  units,
  levels,
  parts: {
    rows: parts.rows * middling(units - 1) ** 2,
    columns: levels < 2 ? 0 : parts.columns * middling(levels - 1) ** 2,
    error: levels < 2 ? 0 : parts.error * middling((units - 1) * (levels - 1)) ** 2,
  },
})

/** Up to this many units the power of tests of shares is summed over all outcomes. */
export const mostListed = 2000

/**
 * The same for yes and no, by the power of the actual test, summed over all outcomes. Pairs: as many are discordant as
 * here, and at least as many as the difference requires. Groups: the control succeeds as often as here. Null: no
 * possible difference is found that often.
 */
export function detectableShare(
  { control, candidate, pairedBy }: Samples,
  {
    alpha,
    alternative,
    power = 0.8,
  }: { readonly alpha: number; readonly alternative: Alternative; readonly power?: number },
): Comparison['detectable'] {
  const sides =
    alternative === 'two-sided' ? ([1, -1] as const) : alternative === 'greater' ? ([1] as const) : ([-1] as const)
  const chance =
    pairedBy === null
      ? chanceOfGroups(candidate, control, alpha, alternative)
      : chanceOfPairs(candidate, control, alpha, alternative)
  const found = sides.flatMap(side => {
    const room = pairedBy !== null ? 1 : side > 0 ? 1 - meanOf(control) : meanOf(control)
    if (chance(side * room) < power) return []
    let [low, high] = [0, room]
    while (high - low > 1e-6) {
      const middle = (low + high) / 2
      if (chance(side * middle) < power) low = middle
      else high = middle
    }
    return [{ difference: high, side }]
  })
  const [first, second] = found
  if (first === undefined) return null
  const isEither = second !== undefined || pairedBy !== null
  return {
    difference: Math.max(first.difference, second?.difference ?? 0),
    power,
    direction: isEither && alternative === 'two-sided' ? 'either' : first.side > 0 ? 'above' : 'below',
    by: 'power',
  }
}

type Chance = (difference: number) => number

function chanceOfPairs(
  candidate: readonly number[],
  control: readonly number[],
  alpha: number,
  alternative: Alternative,
): Chance {
  const { onlyA, onlyB } = pairedCountsOf(candidate, control)
  const seen = (onlyA + onlyB) / control.length
  const test = pairedScorePower(control.length, alpha, alternative)
  return difference => {
    const discordant = Math.max(seen, Math.abs(difference))
    return test({ onlyA: (discordant + difference) / 2, onlyB: (discordant - difference) / 2 })
  }
}

function chanceOfGroups(
  candidate: readonly number[],
  control: readonly number[],
  alpha: number,
  alternative: Alternative,
): Chance {
  const test = groupScorePower(candidate.length, control.length, alpha, alternative)
  const base = meanOf(control)
  return difference => test(Math.min(1, Math.max(0, base + difference)), base)
}
