import type { ResampleOptions } from '../bootstrap/resample/resampled.ts'
import { simultaneousIntervals } from '../bootstrap/simultaneous-intervals.ts'
import { isConstant, meanOf, standardError } from '../describe/moments.ts'
import { type Estimate, isAvailable, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { tInterval } from '../tests/means/t-inference.ts'
import type { GriddedSeries } from './common-grid.ts'

export interface CurveBand {
  readonly steps: readonly number[]
  readonly means: readonly number[]
  readonly bounds: readonly Estimate<Interval>[]
}

/**
 * The mean over seeds at each step with its t interval: right for one step chosen in advance, too narrow for the whole
 * curve.
 */
export function pointwiseBand({ steps, rows }: GriddedSeries, level = 0.95): Estimate<CurveBand> {
  requireLevel(level)
  if (rows.length < 2) return unavailable(rows.length === 0 ? 'no_data' : 'too_few_values')
  const df = rows.length - 1
  const bounds = columnsOf(rows).map(values =>
    whenAvailable(standardError(values), error =>
      isConstant(values) ? unavailable('zero_variance') : tInterval(meanOf(values), error, df, level),
    ),
  )
  return { steps, means: columnsOf(rows).map(meanOf), bounds }
}

/** A band that contains the whole true curve with this probability: seeds are resampled as whole curves (max-T). */
export function simultaneousBand(
  { steps, rows }: GriddedSeries,
  options: ResampleOptions & { readonly level?: number },
): Estimate<CurveBand> {
  if (rows.length < 2) return unavailable(rows.length === 0 ? 'no_data' : 'too_few_values')
  const columns = columnsOf(rows)
  return whenAvailable(simultaneousIntervals(columns, options), ({ intervals }) => ({
    steps,
    means: columns.map(meanOf),
    bounds: intervals.map(interval =>
      isAvailable(interval) ? { level: interval.level, low: interval.low, high: interval.high } : interval,
    ),
  }))
}

function columnsOf(rows: GriddedSeries['rows']): number[][] {
  return (rows[0] ?? []).map((_, at) => rows.map(row => row[at] ?? Number.NaN))
}
