import { type Estimate, unavailable } from '../estimate.ts'
import type { Series } from './series.ts'

/** The distance of two steps: their difference, or their ratio, for curves that flatten out. */
export type StepAxis = 'step' | 'log-step'

/** The area under the curve by the trapezoid rule. With `normalized`, per unit of the axis: a weighted mean of the values. */
export function areaUnder(
  series: Series,
  options: { readonly axis?: StepAxis; readonly normalized?: boolean } = {},
): Estimate<number> {
  const { axis = 'step', normalized = true } = options
  const { values } = series
  if (values.length < 2) return unavailable(values.length === 0 ? 'no_data' : 'too_few_values')
  if (axis === 'log-step' && series.steps.some(step => step <= 0)) return unavailable('not_positive')
  const places = axis === 'log-step' ? series.steps.map(Math.log) : series.steps
  let area = 0
  for (let at = 1; at < values.length; at++)
    area += (((values[at - 1] ?? 0) + (values[at] ?? 0)) / 2) * ((places[at] ?? 0) - (places[at - 1] ?? 0))
  const width = (places.at(-1) ?? 0) - (places[0] ?? 0)
  if (width === 0) return unavailable('zero_variance')
  return normalized ? area / width : area
}
