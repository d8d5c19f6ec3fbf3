import { type Estimate, unavailable } from '../estimate.ts'
import type { Series } from './series.ts'

/** The slope of the least-squares line, in units of the metric per step. Centred first: steps reach billions. */
export function slopeOf({ steps, values }: Series): Estimate<number> {
  const count = values.length
  if (count < 2) return unavailable(count === 0 ? 'no_data' : 'too_few_values')
  const middleStep = steps.reduce((sum, step) => sum + step, 0) / count
  const middleValue = values.reduce((sum, value) => sum + value, 0) / count
  let together = 0
  let spread = 0
  for (let at = 0; at < count; at++) {
    const step = (steps[at] ?? 0) - middleStep
    together += step * ((values[at] ?? 0) - middleValue)
    spread += step * step
  }
  return spread === 0 ? unavailable('zero_variance') : together / spread
}
