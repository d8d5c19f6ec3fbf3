import { studentizedInterval, studentizeMean } from '../stats/bootstrap/studentized.ts'
import { meanOf, standardDeviation } from '../stats/describe/moments.ts'
import { sortedQuantile } from '../stats/describe/quantile.ts'
import { clusteredError, clusteredInterval } from '../stats/hierarchy/clustered-error.ts'
import type { Interval } from '../stats/intervals/interval.ts'
import { meanInterval } from '../stats/intervals/mean.ts'
import { wilsonInterval } from '../stats/intervals/proportion.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../stats/outcome.ts'
import type { Count } from '../stats/tests/proportions/two-proportions.ts'
import { type Bounds, boundsOf } from './compare/comparison.ts'
import { type Drawing, sourceOf } from './compare/method.ts'
import { wordsFor } from './reading.ts'

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
  readonly method: 't' | 'studentized' | 'wilson' | 'clustered t' | 'wilson on the effective size'
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
}

/** Fewer say too little about a distribution to resample it; from so many on, Student's interval is as good. */
const resampledFrom = 5
const resampledTo = 100

/** `units[i]` says which unit `values[i]` belongs to: values of one unit are not independent. */
export function numberSummary(
  values: readonly number[],
  units: readonly string[],
  options: EstimateOptions,
): NumberSummary {
  if (values.length === 0) return nothing
  const ordered = Float64Array.from(values).sort()
  const { interval, method } = meanBounds(values, units, options)
  return {
    count: values.length,
    mean: meanOf(values),
    median: sortedQuantile(ordered, 0.5),
    min: ordered[0] ?? null,
    max: ordered.at(-1) ?? null,
    stdev: valueOrNull(standardDeviation(values)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
    reason: isAvailable(interval) ? null : wordsFor(interval.unavailable),
  }
}

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
  const { interval, method } = rateBounds(values, units, level)
  return {
    successes,
    n,
    rate: successes / n,
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
  }
}

interface Found {
  readonly interval: Estimate<Interval>
  readonly method: MeanBounds['method']
}

/** The method follows from the kind of data and the design, never from how the numbers turned out. */
function meanBounds(
  values: readonly number[],
  units: readonly string[],
  { level, drawing, isRate }: EstimateOptions,
): Found {
  if (isRate) return rateBounds(values, units, level)
  if (isClustered(units))
    return {
      interval: whenAvailable(clusteredError(values, units), error => clusteredInterval(error, level)),
      method: 'clustered t',
    }
  if (drawing === null || values.length < resampledFrom || values.length > resampledTo)
    return { interval: meanInterval(values, level), method: 't' }
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  return {
    interval: whenAvailable(studentizeMean(values, resampling), found => studentizedInterval(found, { level })),
    method: 'studentized',
  }
}

/** Wilson's interval; where units hold several values, of as many independent values as they are worth (Kish 1965). */
function rateBounds(values: readonly number[], units: readonly string[], level: number): Found {
  const successes = values.filter(value => value === 1).length
  const n = values.length
  if (!isClustered(units)) return { interval: wilsonInterval({ successes, n }, level), method: 'wilson' }
  return {
    interval: wilsonInterval(worthOf({ successes, n }, values, units), level),
    method: 'wilson on the effective size',
  }
}

function worthOf({ successes, n }: Count, values: readonly number[], units: readonly string[]): Count {
  const size = whenAvailable(clusteredError(values, units), error => error.effectiveSize)
  // All alike, no spread to learn from: then each unit counts once.
  const worth = isAvailable(size) ? Math.min(n, size) : new Set(units).size
  return { successes: (successes / n) * worth, n: worth }
}

/** Several units, and several values in some: one unit alone has nothing to be compared with. */
function isClustered(units: readonly string[]): boolean {
  const distinct = new Set(units).size
  return distinct > 1 && distinct < units.length
}
