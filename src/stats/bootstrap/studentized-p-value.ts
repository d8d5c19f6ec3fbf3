import { type Estimate, unavailable } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'
import { resampledTs, type Studentized, type StudentizedOptions } from './studentized.ts'

/**
 * How far into the tail of the resampled t's the observed one lies: the level at which the studentised interval touches the
 * null value, so that interval and p never disagree. The resample at hand counts as one: p is never 0.
 */
export function studentizedPValue(
  found: Studentized,
  {
    alternative = 'two-sided',
    nullValue = 0,
    leastError = 0,
  }: StudentizedOptions & { readonly alternative?: Alternative; readonly nullValue?: number } = {},
): Estimate<number> {
  const { estimate, standardError } = found
  if (standardError === 0) return unavailable('zero_variance')
  const observed = (estimate - nullValue) / standardError
  let atLeast = 1
  let atMost = 1
  const ts = resampledTs(found, leastError)
  for (const t of ts) {
    if (t >= observed) atLeast++
    if (t <= observed) atMost++
  }
  if (ts.length === 0) return unavailable('zero_variance')
  const total = ts.length + 1
  switch (alternative) {
    case 'greater':
      return atLeast / total
    case 'less':
      return atMost / total
    case 'two-sided':
      return Math.min(1, (2 * Math.min(atLeast, atMost)) / total)
  }
}
