import type { Evidence } from '../../plan/evidence.ts'
import { areConstant, pairedDifferences } from '../../stats/describe/differences.ts'
import { isAvailable, valueOrNull } from '../../stats/outcome.ts'
import type { Arm } from '../arms.ts'
import { readingOf, wordsFor } from '../reading.ts'
import { type Samples, samplesOf } from '../samples.ts'
import type { Question } from './compare.ts'
import { effectSizes } from './describe/effects.ts'
import { resampledDifference } from './infer/resampled-difference.ts'
import type { Drawing } from './method.ts'

/** The difference in every resample; none where the data can't be resampled. */
export function resampledDifferences(samples: Samples, drawing: Drawing): readonly number[] {
  const found = resampledDifference(samples, drawing)
  return isAvailable(found) ? [...found.distribution] : []
}

/** What a Q–Q plot shows: the differences of pairs, or each arm by itself. */
export function shapesOf({ control, candidate, pairedBy }: Samples, labels: { control: string; candidate: string }) {
  if (pairedBy === null)
    return [
      { label: labels.control, values: control },
      { label: labels.candidate, values: candidate },
    ]
  return [{ label: `differences ${labels.candidate} − ${labels.control}`, values: differencesOf(candidate, control) }]
}

/** Where they differ by nothing but rounding, they are one number: its last digits have no shape. */
function differencesOf(candidate: readonly number[], control: readonly number[]): readonly number[] {
  const found = valueOrNull(pairedDifferences(candidate, control))
  const [first = 0] = found?.values ?? []
  return found !== null && areConstant(found) ? found.values.map(() => first) : (found?.values ?? [])
}

export interface RatioOnMetric {
  readonly value: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly reason: string | null
}

/** Candidate over control on every metric that the experiment declares: the arms' profile. */
export function ratiosOf(evidence: Evidence, candidate: Arm, question: Question): readonly RatioOnMetric[] {
  const { control, isPaired, missing, alpha } = question
  return evidence.metrics.map(({ name }) => {
    const reading = readingOf(evidence, { metric: name })
    const samples = samplesOf(evidence, { control, candidate }, reading, { isPaired, missing })
    const { ratio } = effectSizes(samples, 1 - alpha)
    if (ratio === null) return { value: null, interval: null, reason: wordsFor('not_positive') }
    const { value, low, high } = ratio
    return { value, interval: low === null || high === null ? null : { low, high }, reason: null }
  })
}
