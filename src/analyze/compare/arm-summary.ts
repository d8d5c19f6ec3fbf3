import { bootstrapInterval } from '../../stats/bootstrap/bootstrap-interval.ts'
import { resampleValues } from '../../stats/bootstrap/resample-values.ts'
import { studentizedInterval, studentizeMean } from '../../stats/bootstrap/studentized.ts'
import { mean, standardDeviation } from '../../stats/describe/moments.ts'
import type { Interval } from '../../stats/intervals/interval.ts'
import { meanInterval } from '../../stats/intervals/mean.ts'
import { wilsonInterval } from '../../stats/intervals/proportion.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../stats/outcome.ts'
import type { Method } from '../choices.ts'
import { type ArmSummary, boundsOf } from './comparison.ts'
import { countOf } from './counts.ts'
import { type Drawing, isBinary, sourceOf } from './method.ts'

/** One arm by itself: its mean and how well it is known, by the method that fits the one of the comparison. */
export function armSummary(
  values: readonly number[],
  method: Exclude<Method, 'auto'>,
  { level, drawing, isRate }: { readonly level: number; readonly drawing: Drawing; readonly isRate: boolean },
): ArmSummary {
  const name =
    values.length > 0 && isBinary(values) && method === 'newcombe' ? 'wilson' : method === 'newcombe' ? 't' : method
  const found = intervalOf(values, name, level, drawing)
  // A share is never below 0 or above 1, whatever a formula for other numbers says.
  const interval = isRate
    ? whenAvailable(found, ({ low, high }) => ({ level, low: Math.max(0, low), high: Math.min(1, high) }))
    : found
  return {
    n: values.length,
    mean: valueOrNull(mean(values)),
    sd: valueOrNull(standardDeviation(values)),
    ci: isAvailable(interval) ? { ...boundsOf(interval), method: name } : null,
  }
}

function intervalOf(values: readonly number[], method: string, level: number, drawing: Drawing): Estimate<Interval> {
  const resampling = { random: sourceOf(drawing), resamples: drawing.resamples }
  switch (method) {
    case 'wilson':
      return wilsonInterval(countOf(values), level)
    case 'studentized':
      return whenAvailable(studentizeMean(values, resampling), found => studentizedInterval(found, { level }))
    case 'wider':
      return whenAvailable(intervalOf(values, 't', level, drawing), one =>
        whenAvailable(intervalOf(values, 'studentized', level, drawing), other => ({
          level,
          low: Math.min(one.low, other.low),
          high: Math.max(one.high, other.high),
        })),
      )
    case 'percentile':
    case 'basic':
    case 'bca':
      return whenAvailable(resampleValues(values, resampling), found => bootstrapInterval(found, { method, level }))
    default:
      return meanInterval(values, level)
  }
}
