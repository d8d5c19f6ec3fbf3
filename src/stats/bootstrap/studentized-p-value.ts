import { type Estimate, unavailable } from '../estimate.ts'
import { type Alternative, sidedP } from '../tests/alternative.ts'
import { resampledTs, type Studentized, type StudentizedOptions } from './studentized.ts'
import { tailOf } from './studentized-tail.ts'

/**
 * How far the observed t lies in the tail of the resampled ones: the level at which the studentised interval touches
 * the null value, so that interval and p never disagree. The data count as one resample: p is never 0. If hardly any
 * resample is as extreme, the tail is bounded instead of counted, if the bound is smaller; but not if the counted p is
 * at most `enough`.
 */
export function studentizedPValue(
  found: Studentized,
  {
    alternative = 'two-sided',
    nullValue = 0,
    leastError = 0,
    enough = 0,
  }: StudentizedOptions & {
    readonly alternative?: Alternative
    readonly nullValue?: number
    readonly enough?: number
  } = {},
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
  const least = alternative === 'two-sided' ? enough / 2 : enough
  const above = () =>
    chanceBeyond(found, leastError, observed, 1, atLeast / total, atLeast > fewest || atLeast / total <= least)
  const below = () =>
    chanceBeyond(found, leastError, observed, -1, atMost / total, atMost > fewest || atMost / total <= least)
  return sidedP(alternative, atLeast < atMost, above, below)
}

/** If fewer are as extreme, the count is mostly chance. */
const fewest = 10

function chanceBeyond(
  { groups }: Studentized,
  leastError: number,
  observed: number,
  sign: 1 | -1,
  counted: number,
  isEnough: boolean,
): number {
  if (groups === undefined || isEnough) return counted
  const turned = groups.map(({ values, factor }) => ({ values, factor: sign * factor }))
  return Math.min(counted, tailOf(turned, leastError).bound(sign * observed))
}
