import { type Estimate, isAvailable, whenAvailable } from '../stats/estimate.ts'
import {
  bootstrapInterval,
  type CrossedCell,
  crossedMean,
  type Interval,
  meanInterval,
  meanOf,
  resampleSmoothly,
  resampleValues,
  steadyError,
  studentizedInterval,
  studentizeMean,
  sumOfSquares,
  tInference,
  type WeightedRows,
  wilsonInterval,
} from '../stats/index.ts'
import type { Drawing } from './choices.ts'
import { fewUnits, sourceOf } from './compare/method.ts'
import type { ValueRange } from './reading.ts'

/** One arm by its independent units: each unit's mean, sorted by name, and the number of runs behind them. */
export interface ArmUnits {
  readonly means: readonly number[]
  readonly runs: number
  /** The values of each unit's runs, if known. */
  readonly lists?: readonly (readonly number[])[]
  /** The cells in which units meet the levels of recurring blocks. */
  readonly crossed?: readonly (readonly CrossedCell[])[]
}

export interface ArmInterval {
  readonly interval: Estimate<Interval>
  readonly method: 't' | 'wider' | 'wilson' | 'wilson on the effective size'
}

/** Above this many units t and bootstrap agree to the third digit, and resampling would only take time. */
const manyUnits = 2000

/**
 * The interval of one arm's mean, the same in every command. The method follows from the kind of data and the number of
 * units: Wilson's for shares; t for few units; otherwise the wider of t and studentised bootstrap, as for differences.
 */
export function armInterval(
  { means, runs, crossed = [] }: ArmUnits,
  { level, drawing, isRate }: { readonly level: number; readonly drawing: Drawing | null; readonly isRate: boolean },
): ArmInterval {
  if (isRate) return crossedWith(rateInterval(means, runs, level), crossed, level, { least: 0, most: 1 })
  const method = drawing === null || means.length < fewUnits || means.length > manyUnits ? 't' : 'wider'
  return crossedWith({ interval: intervalOfMean(means, method, level, drawing), method }, crossed, level)
}

/**
 * If all tasks use the same seeds, a seed shifts all of them, and other seeds would move the mean. As for differences,
 * the widest of three intervals is used: units alone, levels alone, and both as crossed random effects.
 */
export function crossedWith<T extends { readonly interval: Estimate<Interval> }>(
  found: T,
  crossed: readonly (readonly CrossedCell[])[],
  level: number,
  {
    least = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    weighted,
  }: { readonly least?: number; readonly most?: number; readonly weighted?: WeightedRows | undefined } = {},
): T {
  const wider = crossed.flatMap(cells => {
    const both = crossedMean(cells, weighted)
    if (!isAvailable(both)) return []
    const levels = meanInterval(both.columns, level)
    return [
      tInference(both.estimate, both.standardError, both.df, { level }).interval,
      ...(isAvailable(levels) ? [levels] : []),
    ]
  })
  if (wider.length === 0) return found
  return {
    ...found,
    interval: whenAvailable(found.interval, own => ({
      level,
      low: Math.max(least, Math.min(own.low, ...wider.map(({ low }) => low))),
      high: Math.min(most, Math.max(own.high, ...wider.map(({ high }) => high))),
    })),
  }
}

/**
 * Limited to the possible values, if these values respect the limits: excluding impossible values loses no coverage.
 */
export function withinRange(
  interval: Estimate<Interval>,
  [least, most]: ValueRange,
  values: readonly number[],
): Estimate<Interval> {
  return whenAvailable(interval, ({ level, low, high }) => ({
    level,
    low: values.every(value => value >= least) ? Math.max(least, low) : low,
    high: values.every(value => value <= most) ? Math.min(most, high) : high,
  }))
}

/** Wilson's interval; if units have several runs, for their effective number of independent runs (Kish 1965). */
function rateInterval(means: readonly number[], runs: number, level: number): ArmInterval {
  if (means.length === 0) return { interval: wilsonInterval({ successes: 0, n: 0 }, level), method: 'wilson' }
  const share = meanOf(means)
  if (runs <= means.length)
    return { interval: wilsonInterval({ successes: share * means.length, n: means.length }, level), method: 'wilson' }
  const worth = worthOf(means, runs)
  return {
    interval: wilsonInterval({ successes: share * worth, n: worth }, level),
    method: 'wilson on the effective size',
  }
}

/** The number of independent runs that would have the variance of the units' means. */
function worthOf(means: readonly number[], runs: number): number {
  const share = meanOf(means)
  const alone = (share * (1 - share)) / (runs - 1)
  // All values are equal, so there is no spread to estimate from: each unit counts once.
  if (alone === 0 || means.length < 2) return means.length
  const shown = sumOfSquares(means) / (means.length - 1) / means.length
  // Runs of a unit can't be more than identical: a unit is worth at least one run.
  return shown === 0 ? runs : Math.min(runs, Math.max(means.length, (runs * alone) / shown))
}

/**
 * The interval of a mean by one method; `wider` takes each end from t or the studentised bootstrap, whichever is
 * further out.
 */
export function intervalOfMean(
  values: readonly number[],
  method: string,
  level: number,
  drawing: Drawing | null,
): Estimate<Interval> {
  if (drawing === null) return meanInterval(values, level)
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  switch (method) {
    case 'studentized':
      return whenAvailable(studentizeMean(values, resampling), found =>
        studentizedInterval(found, { level, leastError: steadyError }),
      )
    case 'wider':
      return whenAvailable(meanInterval(values, level), one =>
        whenAvailable(intervalOfMean(values, 'studentized', level, drawing), other => ({
          level,
          low: Math.min(one.low, other.low),
          high: Math.max(one.high, other.high),
        })),
      )
    case 'percentile':
    case 'basic':
    case 'bca':
      return whenAvailable(resampleValues(values, resampling), found => bootstrapInterval(found, { method, level }))
    case 'smooth':
      return whenAvailable(resampleSmoothly(values, resampling), found => bootstrapInterval(found, { level }))
    default:
      return meanInterval(values, level)
  }
}
