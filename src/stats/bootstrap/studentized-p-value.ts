import { type Estimate, unavailable } from '../outcome.ts'
import type { Alternative } from '../tests/alternative.ts'
import type { Studentized } from './studentized.ts'

/**
 * How far into the tail of the resampled t's the observed one lies: the level at which the studentised interval touches the
 * null value, so that interval and p never disagree. The resample at hand counts as one: p is never 0.
 */
export function studentizedPValue(
  { estimate, standardError, estimates, standardErrors }: Studentized,
  {
    alternative = 'two-sided',
    nullValue = 0,
  }: { readonly alternative?: Alternative; readonly nullValue?: number } = {},
): Estimate<number> {
  if (standardError === 0) return unavailable('zero_variance')
  const observed = (estimate - nullValue) / standardError
  let atLeast = 1
  let atMost = 1
  let total = 1
  for (let round = 0; round < estimates.length; round++) {
    const error = standardErrors[round] ?? 0
    if (error <= 1e-6 * standardError) continue
    const t = ((estimates[round] ?? 0) - estimate) / error
    total++
    if (t >= observed) atLeast++
    if (t <= observed) atMost++
  }
  if (total === 1) return unavailable('zero_variance')
  switch (alternative) {
    case 'greater':
      return atLeast / total
    case 'less':
      return atMost / total
    case 'two-sided':
      return Math.min(1, (2 * Math.min(atLeast, atMost)) / total)
  }
}
