import { largestOf, smallestOf } from '../../util/collections.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import { checkedSeries, firstReason, type Series } from './series.ts'

/** Several series read at the same steps: one row of values per series. */
export interface GriddedSeries {
  readonly steps: readonly number[]
  readonly rows: readonly (readonly number[])[]
}

/**
 * Interpolates series that were logged at different steps linearly on one grid. The grid covers only the steps that
 * every series reached: outside there is nothing to compare, and nothing is extrapolated. Series that were logged at
 * the same few steps, like the turns of a scenario, are read at these: nothing was measured between them.
 */
export function onCommonGrid(all: readonly Series[], points = 100): Estimate<GriddedSeries> {
  requireThat(Number.isInteger(points) && points >= 2, `a grid of at least 2 points, got ${points}`)
  if (all.length === 0) return unavailable('no_data')
  return whenAvailable(firstReason(all.map(checkedSeries)), () => {
    const from = largestOf(all.map(series => series.steps[0] ?? 0))
    const to = smallestOf(all.map(series => series.steps.at(-1) ?? 0))
    if (from > to || (from === to && all.some(series => series.steps.length > 1))) return unavailable('no_overlap')
    const shared = sharedSteps(all, points)
    const steps =
      shared ??
      (from === to ? [from] : Array.from({ length: points }, (_, at) => gridStep(from, to, at / (points - 1))))
    return { steps, rows: all.map(series => steps.map(step => valueAt(series, step))) }
  })
}

/** null: they differ, or there are more of them than the grid has points. */
function sharedSteps([first, ...others]: readonly Series[], points: number): readonly number[] | null {
  const steps = [...new Set(first?.steps)]
  if (steps.length > points) return null
  const isShared = others.every(series => {
    const own = new Set(series.steps)
    return own.size === steps.length && steps.every(step => own.has(step))
  })
  return isShared ? steps : null
}

function gridStep(from: number, to: number, share: number): number {
  return share === 1 ? to : from + share * (to - from)
}

/**
 * The value at a step between the first and the last, by linear interpolation; at a step logged twice, the later value.
 */
function valueAt({ steps, values }: Series, step: number): number {
  let low = 0
  let high = steps.length - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((steps[middle] ?? 0) <= step) low = middle
    else high = middle - 1
  }
  const here = steps[low] ?? 0
  const value = values[low] ?? 0
  const next = steps[low + 1]
  if (next === undefined || here === step) return value
  return value + ((step - here) / (next - here)) * ((values[low + 1] ?? 0) - value)
}
