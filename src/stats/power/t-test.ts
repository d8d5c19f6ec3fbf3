import { noncentralTCdf, noncentralTSurvival } from '../distributions/noncentral-t.ts'
import { studentTUpperQuantile } from '../distributions/student-t.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Alternative } from '../tests/alternative.ts'
import { reach, wholeRuns } from './solve.ts'

/** Pairs, or two groups of which the second has `ratio` times the runs of the first. */
export type Design =
  | { readonly kind: 'paired'; readonly n: number }
  | { readonly kind: 'independent'; readonly n: number; readonly ratio?: number }

export type DesignWithoutN = { readonly kind: 'paired' } | { readonly kind: 'independent'; readonly ratio?: number }

export interface PowerOptions {
  readonly alpha?: number
  readonly alternative?: Alternative
}

/**
 * The probability that a t test finds an effect of this size, by the noncentral t distribution (Cohen 1988; both tails
 * count when two-sided). The effect is in units of the sd: of the groups, or of the differences of pairs.
 */
export function tTestPower(effect: number, design: Design, options: PowerOptions = {}): Estimate<number> {
  const { alpha = 0.05, alternative = 'two-sided' } = options
  requireThat(alpha > 0 && alpha < 1, 'an alpha between 0 and 1')
  const { df, shift } = shape(effect, design)
  if (!(df > 0)) return unavailable('too_few_values')
  const critical = studentTCritical(alternative === 'two-sided' ? alpha / 2 : alpha, df)
  switch (alternative) {
    case 'greater':
      return noncentralTSurvival(critical, df, shift)
    case 'less':
      return noncentralTCdf(-critical, df, shift)
    case 'two-sided':
      return Math.min(1, noncentralTSurvival(critical, df, shift) + noncentralTCdf(-critical, df, shift))
  }
}

export interface SampleSize {
  /** Per group, the first of them, or of pairs. */
  readonly n: number
  readonly fractional: number
  readonly power: number
}

/** The number of runs that finds an effect of this size with the required power. */
export function tTestSampleSize(
  effect: number,
  design: DesignWithoutN,
  power: number,
  options: PowerOptions = {},
): Estimate<SampleSize> {
  requirePower(power)
  if (effect === 0) return unavailable('zero_effect')
  const at = (n: number) => powerOrZero(effect, { ...design, n }, options)
  const least = fewest(design)
  const fractional = reach(at, power, { from: least, most: 1e12 })
  if (fractional === undefined) return unavailable('unreachable')
  const n = wholeRuns(fractional, 2)
  return { n, fractional, power: at(n) }
}

/** The smallest effect that this many runs find with the required power, in units of the sd. */
export function minimumDetectableEffect(design: Design, power: number, options: PowerOptions = {}): Estimate<number> {
  requirePower(power)
  if (!(shape(0, design).df > 0)) return unavailable('too_few_values')
  const sign = options.alternative === 'less' ? -1 : 1
  const at = (effect: number) => powerOrZero(sign * effect, design, options)
  if (at(0) >= power) return unavailable('zero_effect')
  const effect = reach(at, power, { from: 0, most: 1e9 })
  return effect === undefined ? unavailable('unreachable') : sign * effect
}

function shape(effect: number, design: Design): { readonly df: number; readonly shift: number } {
  if (design.kind === 'paired') return { df: design.n - 1, shift: effect * Math.sqrt(design.n) }
  const { n, ratio = 1 } = design
  const other = n * ratio
  return { df: n + other - 2, shift: effect * Math.sqrt((n * other) / (n + other)) }
}

/** Just above the number of runs at which no degree of freedom is left. */
function fewest(design: DesignWithoutN): number {
  return (design.kind === 'paired' ? 1 : 2 / (1 + (design.ratio ?? 1))) * (1 + 1e-3)
}

function studentTCritical(tail: number, df: number): number {
  return tail <= 0.5 ? studentTUpperQuantile(tail, df) : -studentTUpperQuantile(1 - tail, df)
}

function powerOrZero(effect: number, design: Design, options: PowerOptions): number {
  const power = tTestPower(effect, design, options)
  return typeof power === 'number' ? power : 0
}

function requirePower(power: number): void {
  requireThat(power > 0 && power < 1, 'a power between 0 and 1, such as 0.8')
}
