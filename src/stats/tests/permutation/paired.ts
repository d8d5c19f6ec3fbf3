import { areConstant, type Differences, isZero } from '../../describe/differences.ts'
import { meanOf } from '../../describe/moments.ts'
import { sum } from '../../describe/sum.ts'
import { binomialCdf, binomialSurvival } from '../../distributions/binomial.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { coinSums, tailsAt } from '../ranks/subset-sums.ts'
import { canList, countPairs, halfSums } from './half-sums.ts'
import { type PermutationTest, type Sampling, sampledP } from './permutation-test.ts'
import { signedSumBound } from './tail-bound.ts'
import { wholeUnits } from './whole-units.ts'

/**
 * The sign-flip test of a mean difference (Fisher 1935, The Design of Experiments, §21): how many of the 2ⁿ choices of signs give a
 * sum as large as the observed one. Exact up to 36 differences, and beyond when they are multiples of one unit; otherwise sampled.
 */
export function permutationPaired(differences: Differences, sampling?: Sampling): Estimate<PermutationTest> {
  const values = differences.values.filter(value => !isZero(value, differences))
  if (differences.values.length === 0) return unavailable('no_data')
  if (values.length === 0) return unavailable('all_differences_zero')
  const estimate = meanOf(differences.values)
  const size = values.map(Math.abs)
  const observed = sum(values)
  const permutations = 2 ** differences.values.length
  if (areConstant({ values: size, rounding: differences.rounding }))
    return { estimate, ...signsAlone(values), permutations, isExact: true }
  const units = wholeUnits(size, differences.rounding)
  // A sum of signed values is twice the sum of the positive ones less the total.
  if (units !== undefined) {
    const sums = coinSums(units)
    const positives = units.reduce((total, unit, at) => total + ((values[at] ?? 0) > 0 ? unit : 0), 0)
    const { atLeast, atMost } = tailsAt(sums, positives)
    return {
      estimate,
      greater: atLeast,
      less: atMost,
      twoSided: Math.min(1, 2 * Math.min(atLeast, atMost)),
      permutations,
      isExact: true,
    }
  }
  const slack = 1e-12 * sum(size) + differences.rounding * size.length
  if (canList(values.length, values.length))
    return { estimate, ...counted(size, observed, slack), permutations, isExact: true }
  if (sampling === undefined) return unavailable('too_many_values')
  const flipped = size.length < manyValues ? flippedOneByOne(size, sampling) : flippedByFours(size, sampling)
  return {
    estimate,
    ...sampledP(flipped, observed, slack, sampling.samples, at => signedSumBound(size, at)),
    isExact: false,
  }
}

/** If all differences have one size only the signs count, however many there are. p is never 0, however small. */
function signsAlone(values: readonly number[]): Tails {
  const n = values.length
  const up = values.filter(value => value > 0).length
  const greater = Math.max(Number.MIN_VALUE, binomialSurvival(up - 1, n, 0.5))
  const less = Math.max(Number.MIN_VALUE, binomialCdf(up, n, 0.5))
  return { greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) }
}

type Tails = Pick<PermutationTest, 'greater' | 'less' | 'twoSided'>

/** From here on a sum of random signs uses 48 signs per random number, instead of one. */
const manyValues = 1000

const flippedOneByOne =
  (size: readonly number[], { random }: Sampling) =>
  (): number =>
    size.reduce((total, value) => total + (random() < 0.5 ? value : -value), 0)

/**
 * The sums of all sixteen choices of signs of each four values are computed once, and looked up by four random bits.
 */
function flippedByFours(size: readonly number[], { random }: Sampling): () => number {
  const fours = Math.ceil(size.length / 4)
  const sums = new Float64Array(16 * fours)
  for (let four = 0; four < fours; four++)
    for (let signs = 0; signs < 16; signs++)
      for (let at = 0; at < 4; at++) {
        const value = size[4 * four + at] ?? 0
        sums[16 * four + signs] = (sums[16 * four + signs] ?? 0) + ((signs >> at) & 1 ? value : -value)
      }
  return () => {
    let total = 0
    for (let four = 0; four < fours; ) {
      const high = random() * 2 ** 24
      const bits = Math.floor(high)
      const more = Math.floor((high - bits) * 2 ** 24)
      for (let shift = 0; shift < 24 && four < fours; shift += 4)
        total += sums[16 * four++ + ((bits >> shift) & 15)] ?? 0
      for (let shift = 0; shift < 24 && four < fours; shift += 4)
        total += sums[16 * four++ + ((more >> shift) & 15)] ?? 0
    }
    return total
  }
}

function counted(size: readonly number[], observed: number, slack: number): Tails {
  const total = sum(size)
  const { left, right } = halfSums(size, size.length)
  const low = merge(left)
  const high = merge(right)
  const share = (signedSum: number) => countPairs(low, high, (total + signedSum - slack) / 2) / 2 ** size.length
  const greater = share(observed)
  const less = share(-observed)
  // Flipping every sign mirrors the distribution: both tails have the same size.
  return { greater, less, twoSided: Math.min(1, 2 * Math.min(greater, less)) }
}

function merge(lists: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(lists.reduce((total, list) => total + list.length, 0))
  let at = 0
  for (const list of lists) {
    all.set(list, at)
    at += list.length
  }
  return all.sort()
}
