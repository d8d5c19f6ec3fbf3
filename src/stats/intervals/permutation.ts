import { areConstant, type Differences } from '../describe/differences.ts'
import { isConstant } from '../describe/moments.ts'
import { firstUnusable, unusable } from '../describe/usable.ts'
import { type Estimate, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'
import { sumsBySize } from '../tests/permutation/half-sums.ts'
import { binomialCoefficient } from '../tests/permutation/independent.ts'
import type { Sampling } from '../tests/permutation/permutation-test.ts'

/** Beyond this many points, lists are sampled. */
const mostListed = 1_000_000

/**
 * All mean differences that a sign-flip test would not reject. Flipping the signs of a subset raises the sum exactly when
 * the subset's mean is below the hypothesis, so the ends are order statistics of subset means
 * (Hartigan 1969, JASA 64:1303; Tritchler 1984, JASA 79:200).
 */
export function permutationPairedInterval(
  differences: Differences,
  level = 0.95,
  sampling?: Sampling,
): Estimate<Interval> {
  const { values } = differences
  const reason = unusable(values, 2)
  if (reason !== undefined) return reason
  if (areConstant(differences)) return unavailable('zero_variance')
  const subsets = 2 ** values.length
  if (subsets <= mostListed) return between(subsetMeans(values), subsets, level)
  if (sampling === undefined) return unavailable('too_many_values')
  const points = Float64Array.from({ length: sampling.samples }, () => randomSubsetMean(values, sampling.random))
  return between(points, sampling.samples + 1, level)
}

/**
 * All shifts between two groups that the permutation test would not reject: order statistics of the changes from
 * swapping k values against k.
 */
export function permutationIndependentInterval(
  a: readonly number[],
  b: readonly number[],
  level = 0.95,
  sampling?: Sampling,
): Estimate<Interval> {
  const reason = firstUnusable([a, b])
  if (reason !== undefined) return reason
  if (isConstant(a) && isConstant(b)) return unavailable('zero_variance')
  const splits = binomialCoefficient(a.length + b.length, a.length)
  if (splits <= mostListed) return between(swapMeans(a, b), splits, level)
  if (sampling === undefined) return unavailable('too_many_values')
  const points = Float64Array.from({ length: sampling.samples }, () => randomSwapMean(a, b, sampling.random))
  return between(points, sampling.samples + 1, level)
}

/** The k-th point from each end, with k / all as the tail. With too few points there is no end. */
function between(points: Float64Array, all: number, level: number): Estimate<Interval> {
  requireLevel(level)
  points.sort()
  const k = Math.floor(((1 - level) / 2) * all + 1e-9)
  const low = points[k - 1]
  const high = points[points.length - k]
  return low === undefined || high === undefined ? unavailable('unbounded') : { level, low, high }
}

function subsetMeans(values: readonly number[]): Float64Array {
  const [, ...bySize] = sumsBySize(values, values.length)
  return Float64Array.from(bySize.flatMap((sums, at) => sums.map(sum => sum / (at + 1))))
}

function randomSubsetMean(values: readonly number[], random: () => number): number {
  let sum = 0
  let size = 0
  while (size === 0)
    for (const value of values) {
      if (random() < 0.5) {
        sum += value
        size++
      }
    }
  return sum / size
}

function swapMeans(a: readonly number[], b: readonly number[]): Float64Array {
  const points: number[] = []
  const most = Math.min(a.length, b.length)
  const sumsA = sumsBySize(a, most)
  const sumsB = sumsBySize(b, most)
  for (let k = 1; k <= most; k++)
    for (const fromA of sumsA[k] ?? []) for (const fromB of sumsB[k] ?? []) points.push((fromA - fromB) / k)
  return Float64Array.from(points)
}

/** A random split of the pooled values, expressed as the values it swaps. */
function randomSwapMean(a: readonly number[], b: readonly number[], random: () => number): number {
  for (;;) {
    let wanted = a.length
    let left = a.length + b.length
    let gone = 0
    let come = 0
    let swapped = 0
    for (const value of a) {
      if (random() * left-- < wanted) wanted--
      else {
        gone += value
        swapped++
      }
    }
    for (const value of b) {
      if (random() * left-- < wanted) {
        wanted--
        come += value
      }
    }
    if (swapped > 0) return (gone - come) / swapped
  }
}
