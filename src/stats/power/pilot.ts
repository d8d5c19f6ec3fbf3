import { type Estimate, isAvailable, unavailable, whenAvailable } from '../estimate.ts'
import { sdInterval } from './half-width.ts'
import { type DesignWithoutN, type PowerOptions, tTestSampleSize } from './t-test.ts'

/** The number of runs that a pilot predicts: at its sd, and at the ends of the interval of the true sd. */
export interface PlannedRuns {
  readonly n: number
  readonly low: number
  readonly high: number
}

/**
 * Runs needed to find a difference of `effect`, in the metric's own unit, from a pilot of `pilotRuns` with this sd. The
 * sd of a small pilot is itself uncertain, and the number of runs is proportional to its square (Browne 1995, Stat.
 * Med. 14:1933).
 */
export function runsFromPilot(
  effect: number,
  pilot: { readonly sd: number; readonly runs: number },
  design: DesignWithoutN,
  options: PowerOptions & { readonly power?: number; readonly level?: number } = {},
): Estimate<PlannedRuns> {
  const { power = 0.8, level = 0.95 } = options
  if (!(pilot.sd > 0)) return unavailable('zero_variance')
  const runsAt = (sd: number) => whenAvailable(tTestSampleSize(effect / sd, design, power, options), size => size.n)
  return whenAvailable(sdInterval(pilot.sd, pilot.runs, level), ends => {
    const [n, low, high] = [runsAt(pilot.sd), runsAt(ends.low), runsAt(ends.high)]
    if (!isAvailable(n)) return n
    if (!isAvailable(low)) return low
    return isAvailable(high) ? { n, low, high } : high
  })
}
