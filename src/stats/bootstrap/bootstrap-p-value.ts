import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'

export interface BootstrapPValueOptions {
  readonly nullValue?: number
  readonly alternative?: Alternative
  /**
   * `counted` (default): the data count as one resample, so p is never 0, and p is at most 1 (Davison & Hinkley 1997,
   * §4.2). `published`: twice the smaller share, unchanged, which may be 0 and may exceed 1; only to reproduce
   * published numbers.
   */
  readonly form?: 'counted' | 'published'
}

/** How far the null value lies in the tail of the resamples: the level at which the percentile interval touches it. */
export function bootstrapPValue(
  distribution: ArrayLike<number>,
  options: BootstrapPValueOptions = {},
): Estimate<number> {
  const { nullValue = 0, alternative = 'two-sided', form = 'counted' } = options
  requireThat(Number.isFinite(nullValue), `a finite null value, got ${nullValue}`)
  const total = distribution.length
  if (total === 0) return unavailable('no_data')
  let atLeast = 0
  let atMost = 0
  for (let round = 0; round < total; round++) {
    const value = distribution[round] ?? Number.NaN
    if (Number.isNaN(value)) return unavailable('not_a_number')
    if (value >= nullValue) atLeast++
    if (value <= nullValue) atMost++
  }
  if (atLeast === total && atMost === total) return unavailable('zero_variance')
  const shareOf = (count: number): number => (form === 'counted' ? (count + 1) / (total + 1) : count / total)
  switch (alternative) {
    case 'greater':
      return shareOf(atMost)
    case 'less':
      return shareOf(atLeast)
    case 'two-sided': {
      const p = 2 * Math.min(shareOf(atLeast), shareOf(atMost))
      return form === 'counted' ? Math.min(1, p) : p
    }
  }
}
