import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../stats/estimate.ts'
import {
  clusteredError,
  clusteredInterval,
  type Interval,
  meanOf,
  sortedQuantile,
  standardDeviation,
  wilsonInterval,
} from '../stats/index.ts'
import { type ArmInterval, armInterval, notBelow } from './arm-interval.ts'
import type { Drawing } from './choices.ts'
import { type Bounds, boundsOf } from './compare/comparison.ts'
import { wordsFor } from './reading.ts'
import { byUnitName } from './units/unit-order.ts'

/** Numbers at a glance, and how well their mean is known. Plain data: null where there is no value. */
export interface NumberSummary {
  readonly count: number
  readonly mean: number | null
  readonly median: number | null
  readonly min: number | null
  readonly max: number | null
  readonly stdev: number | null
  readonly ci: MeanBounds | null
  /** Why there is no interval. */
  readonly reason: string | null
}

export interface MeanBounds extends Bounds {
  readonly method: ArmInterval['method'] | 'clustered t'
}

export interface RateSummary {
  readonly successes: number
  readonly n: number
  readonly rate: number | null
  readonly ci: MeanBounds | null
}

export interface EstimateOptions {
  readonly level: number
  /** null: only formulas, where there is too much to resample it all. */
  readonly drawing: Drawing | null
  /** Whether the metric is 0 or 1 wherever it was measured: some of its values alone can't say. */
  readonly isRate: boolean
  /** No mean is below this. */
  readonly least?: number
}

/** `units[i]` says which unit `values[i]` belongs to: values of one unit are not independent. */
export function numberSummary(
  values: readonly number[],
  units: readonly string[],
  options: EstimateOptions,
): NumberSummary {
  if (values.length === 0) return nothing
  const ordered = Float64Array.from(values).sort()
  const { interval: found, method } = meanBounds(values, units, options)
  const interval = notBelow(found, options.least ?? Number.NEGATIVE_INFINITY, values)
  return {
    count: values.length,
    mean: finiteOrNull(meanOf(values)),
    median: sortedQuantile(ordered, 0.5),
    min: ordered[0] ?? null,
    max: ordered.at(-1) ?? null,
    stdev: valueOrNull(standardDeviation(values)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
    reason: isAvailable(interval) ? null : wordsFor(interval.unavailable),
  }
}

/** The sum of values near the largest there are is infinite. */
const finiteOrNull = (value: number): number | null => (Number.isFinite(value) ? value : null)

const nothing: NumberSummary = {
  count: 0,
  mean: null,
  median: null,
  min: null,
  max: null,
  stdev: null,
  ci: null,
  reason: 'no data',
}

export function rateSummary(flags: readonly boolean[], units: readonly string[], level: number): RateSummary {
  const values = flags.map(Number)
  const successes = flags.filter(Boolean).length
  const n = flags.length
  if (n === 0) return { successes, n, rate: null, ci: null }
  const { interval, method } = meanBounds(values, units, { level, drawing: null, isRate: true })
  return {
    successes,
    n,
    rate: successes / n,
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
  }
}

/**
 * The interval of a mean over runs. Where every unit holds as many runs, units are averaged first and it is that of any arm;
 * where they don't, runs count, and those of one unit as alike.
 */
function meanBounds(
  values: readonly number[],
  units: readonly string[],
  options: EstimateOptions,
): { readonly interval: Estimate<Interval>; readonly method: MeanBounds['method'] } {
  const byUnit = Map.groupBy(values.keys(), at => units[at] ?? '')
  // Only resampling depends on the order.
  const names = options.drawing === null ? [...byUnit.keys()] : [...byUnit.keys()].sort(byUnitName)
  const lists = names.map(name => (byUnit.get(name) ?? []).map(at => values[at] ?? Number.NaN))
  // One unit alone has nothing to be compared with: then its runs are what there is.
  if (lists.length === 1) return armInterval({ means: values, runs: values.length }, options)
  if (lists.every(list => list.length === lists[0]?.length))
    return armInterval({ means: lists.map(meanOf), runs: values.length }, options)
  if (options.isRate) return unequalRate(values, units, options.level)
  return {
    interval: whenAvailable(clusteredError(values, units), error => clusteredInterval(error, options.level)),
    method: 'clustered t',
  }
}

/** Of as many independent runs as they are worth (Kish 1965). */
function unequalRate(
  values: readonly number[],
  units: readonly string[],
  level: number,
): ReturnType<typeof meanBounds> {
  const share = meanOf(values)
  const size = whenAvailable(clusteredError(values, units), error => error.effectiveSize)
  // All alike, no spread to learn from: then each unit counts once.
  const worth = isAvailable(size) ? Math.min(values.length, size) : new Set(units).size
  return {
    interval: wilsonInterval({ successes: share * worth, n: worth }, level),
    method: 'wilson on the effective size',
  }
}
