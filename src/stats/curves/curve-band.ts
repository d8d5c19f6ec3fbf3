import type { Interval } from '../bootstrap/alternative.ts'
import type { ResampleOptions } from '../bootstrap/resampled.ts'
import { simultaneousIntervals } from '../bootstrap/simultaneous-intervals.ts'
import { meanOf, standardError } from '../describe/moments.ts'
import { studentTQuantile } from '../distributions/student-t.ts'
import { type Estimate, isAvailable, requireThat, unavailable, whenAvailable } from '../outcome.ts'
import type { GriddedSeries } from './common-grid.ts'

export interface CurveBand {
  readonly steps: readonly number[]
  readonly means: readonly number[]
  readonly bounds: readonly Estimate<Interval>[]
}

/** The mean over seeds at each step with its t interval: right for one step picked beforehand, too narrow for the whole curve. */
export function pointwiseBand({ steps, rows }: GriddedSeries, level = 0.95): Estimate<CurveBand> {
  requireThat(level > 0 && level < 1, `a level between 0 and 1, got ${level}`)
  if (rows.length < 2) return unavailable(rows.length === 0 ? 'no_data' : 'too_few_values')
  const quantile = studentTQuantile((1 + level) / 2, rows.length - 1)
  const bounds = columnsOf(rows).map(values =>
    whenAvailable(standardError(values), (error): Estimate<Interval> => {
      const middle = meanOf(values)
      if (error === 0) return unavailable('zero_variance')
      return { low: middle - quantile * error, high: middle + quantile * error }
    }),
  )
  return { steps, means: columnsOf(rows).map(meanOf), bounds }
}

/** A band that holds the whole true curve at once with this probability: seeds are resampled as whole curves (max-T). */
export function simultaneousBand(
  { steps, rows }: GriddedSeries,
  options: ResampleOptions & { readonly level?: number },
): Estimate<CurveBand> {
  if (rows.length < 2) return unavailable(rows.length === 0 ? 'no_data' : 'too_few_values')
  const columns = columnsOf(rows)
  return whenAvailable(simultaneousIntervals(columns, options), ({ intervals }) => ({
    steps,
    means: columns.map(meanOf),
    bounds: intervals.map(interval => (isAvailable(interval) ? { low: interval.low, high: interval.high } : interval)),
  }))
}

function columnsOf(rows: GriddedSeries['rows']): number[][] {
  return (rows[0] ?? []).map((_, at) => rows.map(row => row[at] ?? Number.NaN))
}
