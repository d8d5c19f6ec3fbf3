import type { Series } from '../../define/job.ts'

/** So many points of a series and no more, evenly, the first and the last always: for the eye. */
export function thinSeries(series: Series, most: number): Series {
  const count = series.values.length
  if (count <= most) return series
  const at = Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)))
  const pick = (numbers: readonly number[]): number[] => at.map(index => numbers[index] ?? 0)
  return { metric: series.metric, steps: pick(series.steps), values: pick(series.values) }
}
