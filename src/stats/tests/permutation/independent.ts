import { isConstant, meanOf, roundingOf } from '../../describe/moments.ts'
import { sum } from '../../describe/sum.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import { drawCost, drawSums, tailsAt } from '../ranks/subset-sums.ts'
import { canList, countDraws, halfSums } from './half-sums.ts'
import { type PermutationTest, type Sampling, sampledP } from './permutation-test.ts'
import { drawnSumBound } from './tail-bound.ts'
import { wholeUnits } from './whole-units.ts'

/**
 * Mean of a minus mean of b against all ways to split the pooled values into groups of these sizes (Pitman 1937, Suppl. JRSS 4:119).
 * Exact up to 36 values (more if one group is small), and beyond when they are multiples of one unit; otherwise sampled.
 */
export function permutationIndependent(
  a: readonly number[],
  b: readonly number[],
  sampling?: Sampling,
): Estimate<PermutationTest> {
  const reason = firstUnusable([a, b])
  if (reason !== undefined) return reason
  const pooled = [...a, ...b]
  if (isConstant(pooled)) return unavailable('all_tied')
  const estimate = meanOf(a) - meanOf(b)
  const permutations = binomialCoefficient(pooled.length, a.length)
  // Around the mean of all, the sum of group a decides, and 0 is no difference.
  const centre = meanOf(pooled)
  const centred = pooled.map(value => value - centre)
  const observed = sum(centred.slice(0, a.length))
  if (canList(pooled.length, Math.min(a.length, b.length)))
    return { estimate, ...counted(centred, a.length, observed, slackOf(pooled)), permutations, isExact: true }
  const least = pooled.reduce((low, value) => Math.min(low, value), Infinity)
  const units = wholeUnits(
    pooled.map(value => value - least),
    roundingOf(pooled),
  )
  if (units !== undefined && drawCost(units, a.length) < 5e8)
    return { estimate, ...countedUnits(units, a.length), permutations, isExact: true }
  if (sampling === undefined) return unavailable('too_many_values')
  const shuffled = [...centred]
  const draw = () => {
    let total = 0
    for (let at = 0; at < a.length; at++) {
      const chosen = at + Math.floor(sampling.random() * (shuffled.length - at))
      const value = shuffled[chosen] ?? 0
      shuffled[chosen] = shuffled[at] ?? 0
      shuffled[at] = value
      total += value
    }
    return total
  }
  // The sum of group a is minus that of b: its lower tail is the upper one of the negated values.
  const bound = (at: number, sign: number): number =>
    pooled.length > mostBounded
      ? 1
      : drawnSumBound(
          centred.map(value => sign * value),
          a.length,
          at,
        )
  const both = (at: number): number => Math.max(bound(at, 1), bound(at, -1))
  return { estimate, ...sampledP(draw, observed, slackOf(pooled), sampling.samples, both), isExact: false }
}

/** Beyond this many values a bound of the tail takes too long. */
const mostBounded = 20_000

type Shares = Pick<PermutationTest, 'greater' | 'less' | 'twoSided'>

/** Sums this close are equal, given the rounding of centring and adding. */
function slackOf(pooled: readonly number[]): number {
  return roundingOf(pooled) * pooled.length
}

function counted(centred: readonly number[], size: number, observed: number, slack: number): Shares {
  // The sum of one group is minus that of the other, so the smaller one is drawn.
  const drawn = Math.min(size, centred.length - size)
  const own = size === drawn ? observed : -observed
  const sums = halfSums(centred, drawn)
  const mirrored = halfSums(
    centred.map(value => -value),
    drawn,
  )
  const all = binomialCoefficient(centred.length, drawn)
  const atLeast = countDraws(sums, drawn, own - slack) / all
  const atMost = countDraws(mirrored, drawn, -own - slack) / all
  const far = Math.abs(own)
  const outside = (countDraws(sums, drawn, far - slack) + countDraws(mirrored, drawn, far - slack)) / all
  const [greater, less] = size === drawn ? [atLeast, atMost] : [atMost, atLeast]
  return { greater, less, twoSided: far <= slack ? 1 : outside }
}

function countedUnits(units: readonly number[], size: number): Shares {
  const { sums, offset } = drawSums(units, size)
  const observed = units.slice(0, size).reduce((total, unit) => total + unit, 0) - offset
  const { atLeast, atMost } = tailsAt(sums, observed)
  const centre = (size * units.reduce((total, unit) => total + unit, 0)) / units.length - offset
  const far = Math.abs(observed - centre) * (1 - 1e-12)
  let twoSided = 0
  for (const [at, share] of sums.entries()) if (Math.abs(at - centre) >= far) twoSided += share
  return { greater: atLeast, less: atMost, twoSided: Math.min(1, twoSided) }
}

/** n over k; exact up to 2⁵³, then the nearest double. */
export function binomialCoefficient(n: number, k: number): number {
  let count = 1
  for (let at = 1; at <= Math.min(k, n - k); at++) count = Math.round((count * (n - Math.min(k, n - k) + at)) / at)
  return count
}
