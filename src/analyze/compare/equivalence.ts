import type { Goal } from '../../stats/curves/reduction.ts'
import { meanOf } from '../../stats/describe/moments.ts'
import { isAvailable } from '../../stats/outcome.ts'
import { AssayError } from '../../util/errors.ts'
import type { Method } from '../choices.ts'
import type { Samples } from '../samples.ts'
import { boundsOf, type EquivalenceFinding } from './comparison.ts'
import { type InferenceOptions, infer } from './infer.ts'

/** `0.02`, `2pts` (percentage points of a share) or `5%` (of the control's mean), as a number of the metric. */
export function marginOf(text: string, control: readonly number[]): number {
  const [, number = '', unit = ''] = /^\s*([\d.]+(?:e-?\d+)?)\s*(pts|%)?\s*$/.exec(text) ?? []
  const value = Number(number)
  if (number === '' || !(value > 0))
    throw new AssayError('usage', `expected a margin above 0 such as 0.02, 2pts or 5%, got "${text}"`)
  if (unit === 'pts') return value / 100
  if (unit !== '%') return value
  if (control.length > 0 && meanOf(control) === 0)
    throw new AssayError('usage', `${text} of a control whose mean is 0 is no margin: give a number`)
  return (value / 100) * Math.abs(meanOf(control))
}

/**
 * Two one-sided tests at alpha, told as the interval of level 1 − 2 alpha (Schuirmann 1987, J. Pharmacokin. Biopharm. 15:657):
 * equivalent where it lies within ± margin, not worse where its bad end does.
 */
export function equivalenceOf(
  samples: Samples,
  method: Exclude<Method, 'auto'>,
  {
    margin,
    goal,
    alpha,
    drawing,
  }: Pick<InferenceOptions, 'drawing'> & {
    readonly margin: number
    readonly goal: Goal
    readonly alpha: number
  },
): EquivalenceFinding | null {
  const { interval } = infer(samples, method, { level: 1 - 2 * alpha, alternative: 'two-sided', drawing })
  if (!isAvailable(interval)) return null
  const { low, high } = interval
  return {
    margin,
    ci: boundsOf(interval),
    equivalent: low > -margin && high < margin,
    not_worse: goal === 'maximize' ? low > -margin : high < margin,
  }
}
