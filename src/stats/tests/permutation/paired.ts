import { type Differences, isZero } from '../../describe/differences.ts'
import { meanOf } from '../../describe/moments.ts'
import { sum } from '../../describe/sum.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { coinSums, tailsAt } from '../ranks/subset-sums.ts'
import { canList, countPairs, halfSums } from './half-sums.ts'
import { type PermutationTest, type Sampling, sampledP } from './permutation-test.ts'
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
  const flipped = () => size.reduce((total, value) => total + (sampling.random() < 0.5 ? value : -value), 0)
  return { estimate, ...sampledP(flipped, observed, slack, sampling.samples), isExact: false }
}

function counted(
  size: readonly number[],
  observed: number,
  slack: number,
): { readonly greater: number; readonly less: number; readonly twoSided: number } {
  const total = sum(size)
  const { left, right } = halfSums(size, size.length)
  const low = merge(left)
  const high = merge(right)
  const share = (signedSum: number) => countPairs(low, high, (total + signedSum - slack) / 2) / 2 ** size.length
  const greater = share(observed)
  const less = share(-observed)
  // Flipping every sign mirrors the distribution: the far tail has the size of the near one.
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
