import { type Interval, normalQuantile } from '../../../stats/index.ts'

/**
 * About the difference that would have been found four times out of five, from the interval that was made: its reach is what the
 * test needs, and a little less than half as much again makes up for bad luck. So it follows the method, unequal spreads, and the
 * correction for several candidates, as a formula for bell-shaped data would not.
 */
export function detectableDifference(
  { level, low, high }: Interval,
  estimate: number,
  { largest, power = 0.8 }: { readonly largest: number; readonly power?: number },
): { readonly difference: number; readonly power: number } | null {
  const isOneSided = !Number.isFinite(low) || !Number.isFinite(high)
  const reach = isOneSided ? Math.abs(estimate - (Number.isFinite(low) ? low : high)) : (high - low) / 2
  const needed = normalQuantile(isOneSided ? level : 1 - (1 - level) / 2)
  const difference = reach * (1 + normalQuantile(power) / needed)
  // Shares can't differ by more than all: so many units find nothing with that power.
  return difference > 0 && difference < largest ? { difference, power } : null
}
