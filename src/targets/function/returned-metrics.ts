import type { Point } from '../../define/target.ts'

/** A function's return value as metrics: an object of numbers, one number (the metric `value`), or nothing. */
export function returnedMetrics(returned: unknown): readonly Point[] {
  if (returned === undefined || returned === null) return []
  if (typeof returned === 'number' || typeof returned === 'boolean') return [point('value', returned)]
  if (typeof returned !== 'object' || Array.isArray(returned))
    throw new TypeError(
      `the function must return an object of numbers, one number or nothing; it returned ${Array.isArray(returned) ? 'a list' : `a ${typeof returned}`}`,
    )
  return Object.entries(returned).flatMap(([metric, value]) => {
    if (typeof value === 'number' || typeof value === 'boolean') return [point(metric, value)]
    if (typeof value === 'object' && value !== null)
      throw new TypeError(
        `the function returned ${Array.isArray(value) ? 'a list' : 'an object'} as "${metric}"; a metric is a number`,
      )
    return []
  })
}

/** NaN and infinities are kept: the reader of metrics reports that they are not numbers, instead of losing them. */
const point = (metric: string, value: number | boolean): Point => ({ metric, value: Number(value), step: null })
