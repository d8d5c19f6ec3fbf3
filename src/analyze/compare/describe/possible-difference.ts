import type { Interval } from '../../../stats/index.ts'
import { possibleMeans, type Reading } from '../../reading.ts'
import type { ArmSamples } from '../../samples.ts'

/**
 * The largest possible difference of the means of two arms: 1 for shares, 10 for scores that respect a range from 0 to
 * 10.
 */
export function largestDifference(
  { isYesNo, control, candidate }: Pick<ArmSamples, 'isYesNo' | 'control' | 'candidate'>,
  reading: Reading,
): number {
  if (isYesNo) return 1
  const [least, most] = possibleMeans(reading)
  const isWithin = (value: number) => value >= least && value <= most
  return control.every(isWithin) && candidate.every(isWithin) ? most - least : Number.POSITIVE_INFINITY
}

/** Without impossible differences: excluding them loses no coverage. */
export const withinLargest = ({ level, low, high }: Interval, largest: number): Interval => ({
  level,
  low: Math.max(-largest, low),
  high: Math.min(largest, high),
})
