import { isConstant, meanOf, roundingOf, sumOfSquares } from '../describe/moments.ts'
import { unusable } from '../describe/usable.ts'
import { chiSquaredQuantile } from '../distributions/chi-squared.ts'
import { studentTQuantile } from '../distributions/student-t.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'
import { sampleSizeForHalfWidth } from '../power/half-width.ts'
import { requireLevel } from '../tests/alternative.ts'

export interface Precision {
  readonly runs: number
  /** The half-width of the t interval of the mean with this many runs, given the observed spread. */
  readonly halfWidth: number
  /** The same, as a share of the mean. */
  readonly relativeHalfWidth: Estimate<number>
  /** CV / √runs: the standard error of the mean as a share of it. */
  readonly relativeStandardError: Estimate<number>
}

/** The precision of the mean after 2, 3, … runs: the answer to "how many runs do I need?". */
export function precisionCurve(
  values: readonly number[],
  { level = 0.95, upTo = Math.max(2, 2 * values.length) }: { readonly level?: number; readonly upTo?: number } = {},
): Estimate<readonly Precision[]> {
  requireLevel(level)
  requireThat(Number.isInteger(upTo) && upTo >= 2, `a curve up to at least 2 runs, got ${upTo}`)
  const reason = unusable(values, 2)
  if (reason !== undefined) return reason
  if (isConstant(values)) return unavailable('zero_variance')
  const deviation = Math.sqrt(sumOfSquares(values) / (values.length - 1))
  const centre = Math.abs(meanOf(values))
  const relative = (width: number): Estimate<number> =>
    centre <= roundingOf(values) ? unavailable('zero_mean') : width / centre
  return Array.from({ length: upTo - 1 }, (_, at) => {
    const runs = at + 2
    const halfWidth = halfWidthOf(deviation, runs, level)
    return {
      runs,
      halfWidth,
      relativeHalfWidth: relative(halfWidth),
      relativeStandardError: relative(deviation / Math.sqrt(runs)),
    }
  })
}

export interface RunsForHalfWidth {
  readonly runs: number
  /** The runs that are enough with this confidence, because the spread of a small pilot is itself uncertain. */
  readonly runsToBeSure: number
}

/** The smallest number of runs whose t interval is expected to be at most this wide on either side. */
export function runsForHalfWidth(
  values: readonly number[],
  target: number,
  { level = 0.95, confidence = 0.9 }: { readonly level?: number; readonly confidence?: number } = {},
): Estimate<RunsForHalfWidth> {
  requireThat(target > 0, `a half-width above 0, got ${target}`)
  const reason = unusable(values, 2)
  if (reason !== undefined) return reason
  if (isConstant(values)) return unavailable('zero_variance')
  const squares = sumOfSquares(values)
  const df = values.length - 1
  const largest = Math.sqrt(squares / chiSquaredQuantile(1 - confidence, df))
  return whenAvailable(sampleSizeForHalfWidth(Math.sqrt(squares / df), target, level), runs =>
    whenAvailable(sampleSizeForHalfWidth(largest, target, level), runsToBeSure => ({ runs, runsToBeSure })),
  )
}

function halfWidthOf(deviation: number, runs: number, level: number): number {
  return (studentTQuantile((1 + level) / 2, runs - 1) * deviation) / Math.sqrt(runs)
}
