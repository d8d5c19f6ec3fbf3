import { mean, standardDeviation } from '../../stats/describe/moments.ts'
import type { Interval } from '../../stats/intervals/interval.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../stats/outcome.ts'
import { type ArmUnits, armInterval, intervalOfMean } from '../arm-interval.ts'
import type { Method } from '../choices.ts'
import { type ArmSummary, boundsOf } from './comparison.ts'
import { type Drawing, isBinary } from './method.ts'

interface ArmOptions {
  readonly method: Method
  readonly level: number
  readonly drawing: Drawing
  readonly isRate: boolean
}

/** One arm by itself: its mean and how well it is known; by the method that was asked for, otherwise as every command does it. */
export function armSummary(units: ArmUnits, options: ArmOptions): ArmSummary {
  const { interval, method } = options.method === 'auto' ? armInterval(units, options) : asked(units, options)
  return {
    n: units.means.length,
    mean: valueOrNull(mean(units.means)),
    sd: valueOrNull(standardDeviation(units.means)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method } : null,
  }
}

function asked(
  { means, runs }: ArmUnits,
  { method, level, drawing, isRate }: ArmOptions,
): { readonly interval: Estimate<Interval>; readonly method: string } {
  if (method === 'newcombe' && means.length > 0 && isBinary(means))
    return armInterval({ means, runs }, { level, drawing, isRate: true })
  // Neither a permutation nor Newcombe's interval says anything about one arm.
  const name = method === 'newcombe' || method === 'permutation' ? 't' : method
  const found = intervalOfMean(means, name, level, drawing)
  // A share is never below 0 or above 1, whatever a formula for other numbers says.
  const interval = isRate
    ? whenAvailable(found, ({ low, high }) => ({ level, low: Math.max(0, low), high: Math.min(1, high) }))
    : found
  return { interval, method: name }
}
