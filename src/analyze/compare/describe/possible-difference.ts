import type { Interval } from '../../../stats/index.ts'
import { possibleMeans, type Reading } from '../../reading.ts'
import type { ArmSamples } from '../../samples.ts'

/** How far apart the means of two arms can be at all: shares 1, scores from 0 to 10 that keep to it 10. */
export function largestDifference(
  { isYesNo, control, candidate }: Pick<ArmSamples, 'isYesNo' | 'control' | 'candidate'>,
  reading: Reading,
): number {
  if (isYesNo) return 1
  const [least, most] = possibleMeans(reading)
  const isWithin = (value: number) => value >= least && value <= most
  return control.every(isWithin) && candidate.every(isWithin) ? most - least : Number.POSITIVE_INFINITY
}

/** Without differences that can't be: leaving these out loses no coverage. */
export const withinLargest = ({ level, low, high }: Interval, largest: number): Interval => ({
  level,
  low: Math.max(-largest, low),
  high: Math.min(largest, high),
})
