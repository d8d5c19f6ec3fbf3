import { type Estimate, unavailable, whenAvailable } from '../../../stats/estimate.ts'
import type { Interval } from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Method } from '../../choices.ts'
import type { ArmSamples, Extremes, Samples } from '../../samples.ts'
import type { Bounds, EquivalenceFinding } from '../comparison.ts'
import { differenceOf, type Inference, type InferenceOptions, infer } from './infer.ts'

type Known = Exclude<Method, 'auto'>

/** Represents all samples of a comparison: their number, kind and design. */
export const largestOf = (samples: ArmSamples): Samples => samples.extremes?.low ?? samples.extremes?.high ?? samples

/** The comparison of the measured values; if missing values may be anywhere in their range, of both extremes. */
export const inferenceOf = (samples: ArmSamples, method: Known, options: InferenceOptions): Inference =>
  samples.extremes === undefined ? infer(samples, method, options) : within(samples.extremes, method, options)

/** The middle of the extremes; if one does not exist, the other. */
export function estimateOf(samples: ArmSamples): Estimate<number> {
  if (samples.extremes === undefined) return differenceOf(samples)
  const { low, high } = samples.extremes
  if (low === null || high === null)
    return low === null && high === null ? unavailable('no_data') : differenceOf(low ?? high ?? samples)
  return whenAvailable(differenceOf(low), a => whenAvailable(differenceOf(high), b => (a + b) / 2))
}

/**
 * The lower end of the interval is that of the worst case for the candidate, the upper end that of the best: together
 * they contain the difference for any missing values (Horowitz & Manski 2000, JASA 95:77). To claim that it is greater,
 * the worst case must show it.
 */
function within({ low, high }: Extremes, method: Known, options: InferenceOptions): Inference {
  const worst = low === null ? null : infer(low, method, options)
  const best = high === null ? null : infer(high, method, options)
  const [some] = [worst, best].filter(found => found !== null)
  if (some === undefined)
    return { interval: unavailable('no_data'), p: unavailable('no_data'), test: 'none', leastP: null }
  const endOf = (found: Inference | null, end: 'low' | 'high', open: number): Estimate<number> =>
    found === null ? open : whenAvailable(found.interval, interval => interval[end])
  const interval: Estimate<Interval> = whenAvailable(endOf(worst, 'low', Number.NEGATIVE_INFINITY), lower =>
    whenAvailable(endOf(best, 'high', Number.POSITIVE_INFINITY), upper => ({
      level: options.level,
      low: lower,
      high: upper,
    })),
  )
  return { ...some, interval, p: pOf({ low, high }, method, options) }
}

/** One-sided, each for its hardest case; two-sided, twice the smaller. */
function pOf({ low, high }: Extremes, method: Known, options: InferenceOptions): Estimate<number> {
  const tail = (samples: Samples | null, alternative: 'greater' | 'less'): Estimate<number> =>
    samples === null ? 1 : infer(samples, method, { ...options, alternative }).p
  if (options.alternative === 'greater') return tail(low, 'greater')
  if (options.alternative === 'less') return tail(high, 'less')
  return whenAvailable(tail(low, 'greater'), above =>
    whenAvailable(tail(high, 'less'), below => Math.min(1, 2 * Math.min(above, below))),
  )
}

/** Equivalent, or not worse, for any missing values: shown for both extremes. */
export function equivalenceWithin(
  { low, high }: Extremes,
  of: (samples: Samples) => EquivalenceFinding | null,
): EquivalenceFinding | null {
  const [worst, best] = [low && of(low), high && of(high)]
  const some = worst ?? best
  if (some === null) return null
  const both = worst !== null && best !== null
  const larger = (p: (found: EquivalenceFinding) => number | null): number | null => {
    const [a, b] = [worst && p(worst), best && p(best)]
    return both ? (a === null || b === null ? null : Math.max(a, b)) : 1
  }
  const bounds = (of: 'ci' | 'ci_simultaneous'): Bounds | null =>
    some[of] && { level: some[of].level, low: worst?.[of]?.low ?? null, high: best?.[of]?.high ?? null }
  return {
    ...some,
    ci: bounds('ci'),
    ci_simultaneous: bounds('ci_simultaneous'),
    p: larger(({ p }) => p),
    equivalent: both && worst.equivalent && best.equivalent,
    not_worse_p: larger(({ not_worse_p }) => not_worse_p),
    not_worse: both && worst.not_worse && best.not_worse,
  }
}

/** Tests and aggregates that need all numbers, or more than their order, are refused by name. */
export function refuseBeside(
  samples: readonly ArmSamples[],
  question: {
    readonly also?: readonly string[]
    readonly rliable?: boolean
    readonly tTest?: unknown
    readonly correction: string
  },
): void {
  const isBounded = samples.some(({ extremes }) => extremes !== undefined)
  const isRanked = samples.some(one => one.isRanked)
  const areWeighted = samples.some(({ weighting }) => weighting !== undefined)
  if (!isBounded && !isRanked && !areWeighted) return
  const asked = [
    ...(question.also?.length ? ['--also'] : []),
    ...(question.rliable ? ['--rliable'] : []),
    ...(question.tTest === undefined ? [] : ['--ttest.enabled']),
    ...((isBounded || areWeighted) && question.correction === 'max-t' && samples.length > 1
      ? ['--correction max-t']
      : []),
  ]
  if (asked.length === 0) return
  throw new AssayError(
    'usage',
    `${asked.join(' and ')} needs the value of every run, ${
      isBounded
        ? 'and --missing bounds leaves some open'
        : isRanked
          ? 'and wins are compared by order alone'
          : 'each counting alike, and these have weights or strata'
    }`,
    { hint: isBounded ? '--missing failed leaves runs without a value out, and counts them' : 'leave it out' },
  )
}
