import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import { areaUnder } from './area.ts'
import type { Goal, Reduction } from './reduction.ts'
import { checkedSeries, lastOf, type Series } from './series.ts'
import { slopeOf } from './slope.ts'
import { timeTo } from './time-to.ts'
import { inWindow, type Window, wholeSeries } from './window.ts'

export interface ReduceOptions {
  /** All reductions use the same window: a slope over other points than the area would not be comparable. */
  readonly window?: Window
  readonly goal?: Goal
  /** Fewer points than this in the window give no value. */
  readonly minPoints?: number
}

/** One number from a series, or the reason why there is none. */
export function reduceSeries(series: Series, reduction: Reduction, options: ReduceOptions = {}): Estimate<number> {
  return whenAvailable(checkedSeries(series), checked => {
    const points = inWindow(checked, options.window ?? wholeSeries)
    if (points.values.length === 0) return unavailable('no_data')
    if (points.values.length < (options.minPoints ?? 1)) return unavailable('too_few_values')
    return reduced(points, reduction, options.goal ?? 'maximize')
  })
}

function reduced(series: Series, reduction: Reduction, goal: Goal): Estimate<number> {
  switch (reduction.kind) {
    case 'auc':
      return areaUnder(series, { axis: reduction.axis, normalized: reduction.normalized ?? true })
    case 'slope':
      return slopeOf(series)
    case 'last':
      return lastOf(series.values)
    case 'mean':
      return meanOfLast(series, series.values.length)
    case 'best':
      return bestOf(series, goal)
    case 'eval-last':
      return meanOfLast(series, reduction.points)
    case 'time-to':
      return timeTo(series, reduction.threshold, goal)
  }
}

/** The mean of the last points, or of all if there are fewer. */
export function meanOfLast({ values }: Series, points: number): Estimate<number> {
  requireThat(Number.isInteger(points) && points > 0, `a whole number of points above 0, got ${points}`)
  if (values.length === 0) return unavailable('no_data')
  const last = values.slice(-points)
  return last.reduce((sum, value) => sum + value, 0) / last.length
}

export function bestOf({ values }: Series, goal: Goal = 'maximize'): Estimate<number> {
  if (values.length === 0) return unavailable('no_data')
  return values.reduce((best, value) => (goal === 'maximize' ? Math.max(best, value) : Math.min(best, value)))
}
