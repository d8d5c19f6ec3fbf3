import { chiSquaredQuantile } from '../distributions/chi-squared.ts'
import { studentTUpperQuantile } from '../distributions/student-t.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import { requireLevel } from '../tests/alternative.ts'

/**
 * The smallest n for which the t interval of a mean is expected to be no wider than ± halfWidth, for values with this
 * sd.
 */
export function sampleSizeForHalfWidth(sd: number, halfWidth: number, level = 0.95): Estimate<number> {
  requireLevel(level)
  requireThat(halfWidth > 0, 'a half-width above 0')
  if (!(sd > 0)) return unavailable('zero_variance')
  const isEnough = (n: number) => studentTUpperQuantile((1 - level) / 2, n - 1) * sd <= halfWidth * Math.sqrt(n)
  let high = 2
  while (!isEnough(high)) {
    high *= 2
    if (high > 1e15) return unavailable('unreachable')
  }
  let low = 1
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/**
 * The interval of the population's sd after a pilot of n normal values: the uncertainty that every planned n inherits.
 */
export function sdInterval(
  sd: number,
  n: number,
  level = 0.95,
): Estimate<{ readonly low: number; readonly high: number }> {
  requireLevel(level)
  if (n < 2) return unavailable('too_few_values')
  const tail = (1 - level) / 2
  const at = (p: number) => sd * Math.sqrt((n - 1) / chiSquaredQuantile(p, n - 1))
  return { low: at(1 - tail), high: at(tail) }
}
