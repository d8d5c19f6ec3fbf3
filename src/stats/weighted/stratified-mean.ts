import { emptyDistribution, type ResampleOptions } from '../bootstrap/resample/resampled.ts'
import type { Studentized } from '../bootstrap/studentized.ts'
import type { DrawnGroup } from '../bootstrap/studentized-tail.ts'
import { roundingOf } from '../describe/moments.ts'
import { sum } from '../describe/sum.ts'
import { type Estimate, requireThat, unavailable, whenAvailable } from '../estimate.ts'

/** Units of one stratum, each with a weight above 0, and the stratum's share of the population. */
export interface WeightedStratum {
  readonly share: number
  readonly values: readonly number[]
  readonly weights: readonly number[]
}

export interface StratifiedMean {
  readonly estimate: number
  readonly standardError: number
  readonly df: number
}

/**
 * Σ share · weighted mean, with separately drawn strata (Cochran 1977, Sampling Techniques, §5.3–5.4). Within a stratum
 * the variance of a weighted mean is that of White's estimator, with residuals scaled so that it is unbiased for equal
 * variances, and the degrees of freedom are those of its first two moments (Bell & McCaffrey 2002, Survey Methodology
 * 28:169); those of the strata are combined by Satterthwaite 1946, Biometrics Bull. 2:110. With equal weights and one
 * stratum it is Student's t with n − 1.
 */
export function stratifiedMean(strata: readonly WeightedStratum[]): Estimate<StratifiedMean> {
  return whenAvailable(partsOf(strata), ({ estimate, parts }) => concluded(estimate, parts, largestOf(strata)))
}

/** Of two independent arms: the first minus the second. */
export function stratifiedDifference(
  candidate: readonly WeightedStratum[],
  control: readonly WeightedStratum[],
): Estimate<StratifiedMean> {
  const largest = Math.max(largestOf(candidate), largestOf(control))
  return whenAvailable(partsOf(candidate), one =>
    whenAvailable(partsOf(control), other =>
      concluded(one.estimate - other.estimate, [...one.parts, ...other.parts], largest),
    ),
  )
}

/** Resamples of the same: units are drawn within their strata, with their weights (Davison & Hinkley 1997, §3.2). */
export function studentizeStratified(
  candidate: readonly WeightedStratum[],
  control: readonly WeightedStratum[],
  options: ResampleOptions,
): Estimate<Studentized> {
  const arms = [
    ...candidate.map(stratum => ({ sign: 1, stratum })),
    ...control.map(stratum => ({ sign: -1, stratum })),
  ].map(({ sign, stratum }) => ({ sign, ...stratum, chosen: new Int32Array(stratum.values.length) }))
  const found = control.length === 0 ? stratifiedMean(candidate) : stratifiedDifference(candidate, control)
  return whenAvailable(found, ({ estimate, standardError }) => {
    const estimates = emptyDistribution(options)
    const standardErrors = new Float64Array(estimates.length)
    for (let round = 0; round < estimates.length; round++) {
      let squares = 0
      let total = 0
      for (const { sign, share, values, weights, chosen } of arms) {
        options.random.fillBelow(values.length, chosen)
        const own = momentsOf(values, weights, chosen)
        total += sign * share * own.mean
        squares += share * share * own.variance
      }
      estimates[round] = total
      standardErrors[round] = Math.sqrt(squares)
    }
    return { estimate, standardError, estimates, standardErrors, groups: arms.map(drawnGroup) }
  })
}

/**
 * The weighted mean of draws moves as the mean of weighted residuals does: exactly with equal weights, nearly with
 * others.
 */
function drawnGroup({ sign, share, values, weights }: WeightedStratum & { readonly sign: number }): DrawnGroup {
  const { mean } = momentsOf(values, weights, null)
  const average = sum(weights) / weights.length
  return { factor: sign * share, values: values.map((value, at) => ((weights[at] ?? 0) / average) * (value - mean)) }
}

/** The number of units of equal weight with the same information (Kish 1965, Survey Sampling, §11.7). */
export function effectiveUnits(weights: readonly number[]): number {
  const total = sum(weights)
  return (total * total) / sum(weights.map(weight => weight * weight))
}

interface Part {
  readonly variance: number
  readonly df: number
}

function partsOf(
  strata: readonly WeightedStratum[],
): Estimate<{ readonly estimate: number; readonly parts: readonly Part[] }> {
  if (strata.length === 0) return unavailable('no_data')
  const parts: Part[] = []
  let estimate = 0
  for (const { share, values, weights } of strata) {
    requireThat(weights.length === values.length, `a weight for each of ${values.length} values`)
    requireThat(
      weights.every(weight => weight > 0 && weight < Number.POSITIVE_INFINITY),
      'weights above 0',
    )
    if (values.length < 2) return unavailable('too_few_values')
    if (!values.every(Number.isFinite)) return unavailable('not_a_number')
    const { mean, variance, df } = momentsOf(values, weights, null)
    estimate += share * mean
    parts.push({ variance: share * share * variance, df })
  }
  return Number.isFinite(estimate) ? { estimate, parts } : unavailable('too_large')
}

function concluded(estimate: number, parts: readonly Part[], largest: number): Estimate<StratifiedMean> {
  const variance = sum(parts.map(part => part.variance))
  if (Math.sqrt(variance) <= roundingOf([largest])) return unavailable('zero_variance')
  const doubt = sum(parts.map(part => (part.variance * part.variance) / part.df))
  return { estimate, standardError: Math.sqrt(variance), df: (variance * variance) / doubt }
}

/** The weighted mean of the chosen units (null: of all), its variance, and degrees of freedom. */
function momentsOf(
  values: readonly number[],
  weights: readonly number[],
  chosen: Int32Array | null,
): Part & { readonly mean: number } {
  const size = values.length
  const place = (at: number): number => (chosen === null ? at : (chosen[at] ?? 0))
  let total = 0
  for (let at = 0; at < size; at++) total += weights[place(at)] ?? 0
  let mean = 0
  let squares = 0
  for (let at = 0; at < size; at++) {
    const share = (weights[place(at)] ?? 0) / total
    mean += share * (values[place(at)] ?? 0)
    squares += share * share
  }
  // Sums of the residuals' factors a, of a·w and of a·w², and of the diagonal elements.
  let [variance, trace, a0, a1, a2, diagonal, inner] = [0, 0, 0, 0, 0, 0, 0]
  for (let at = 0; at < size; at++) {
    const share = (weights[place(at)] ?? 0) / total
    const kept = 1 - 2 * share + squares
    const factor = (share * share) / kept
    const residual = (values[place(at)] ?? 0) - mean
    variance += factor * residual * residual
    trace += factor * kept
    a0 += factor
    a1 += factor * share
    a2 += factor * share * share
    diagonal += (factor * kept) ** 2
    inner += (factor * (squares - 2 * share)) ** 2
  }
  const all = squares * squares * a0 * a0 + 2 * a2 * a0 + 2 * a1 * a1 - 4 * squares * a1 * a0
  return { mean, variance, df: (trace * trace) / (diagonal + all - inner) }
}

const largestOf = (strata: readonly WeightedStratum[]): number =>
  strata.reduce((most, { values }) => values.reduce((own, value) => Math.max(own, Math.abs(value)), most), 0)
