import { meanOf, roundingOf, sumOfSquares } from '../../describe/moments.ts'
import { studentTSurvival, studentTUpperQuantile } from '../../distributions/student-t.ts'
import { type Estimate, unavailable } from '../../estimate.ts'
import type { Interval } from '../../interval.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { Alternative } from '../alternative.ts'
import { binomialCoefficient } from './independent.ts'

/** Welch's t of two groups compared with that of the same values dealt again at random. */
export interface StudentizedPermutation {
  p(alternative: Alternative): number
  /** The differences that the test does not reject. */
  interval(level: number, alternative: Alternative): Interval
  /** How far from the estimate, in standard errors, the ends of the interval with these tails are. */
  reach(tail: number): { readonly below: number; readonly above: number }
}

/** Fewer arrangements than these say nothing about a tail. */
const fewestArrangements = 100

/** With this ratio of sizes, only one of the groups shows its tail. */
const muchLarger = 2

/**
 * Whether two groups have such unequal sizes that t and bootstrap are anti-conservative on one long tail, and enough
 * arrangements exist.
 */
export function areUnlikeInSize(n1: number, n2: number): boolean {
  const [fewer, more] = [Math.min(n1, n2), Math.max(n1, n2)]
  return fewer >= 2 && more >= muchLarger * fewer && binomialCoefficient(n1 + n2, fewer) >= fewestArrangements
}

/** Beyond this many the tail is extrapolated, not counted. */
const mostDrawn = 9999

/** The fewest arrangements in a tail for its share to be counted. */
const fewestBeyond = 10

/**
 * The permutation test of Welch's t (Janssen 1997, Stat. Probab. Lett. 36:9; Chung & Romano 2013, Ann. Stat. 41:484):
 * exact if the groups have one distribution, whatever its shape, and right for many values if they differ in spread.
 * Each tail is counted separately, so that the error of either side is half of alpha on skewed values too. If fewer
 * than ten arrangements are beyond, the tail is continued as that of Student's t with the smaller group's degrees of
 * freedom.
 */
export function studentizedPermutation(
  candidate: readonly number[],
  control: readonly number[],
  { random, resamples }: { readonly random: RandomSource; readonly resamples: number },
): Estimate<StudentizedPermutation> {
  const [n, m] = [candidate.length, control.length]
  if (n < 2 || m < 2) return unavailable('too_few_values')
  const estimate = meanOf(candidate) - meanOf(control)
  const own = sumOfSquares(candidate)
  const others = sumOfSquares(control)
  const error = Math.sqrt(own / (n - 1) / n + others / (m - 1) / m)
  if (!(error > 0)) return unavailable('zero_variance')
  const deals = dealt(candidate, control, random, Math.min(resamples, mostDrawn))
  const rounding = roundingOf([...candidate, ...control])
  const shareCounted = Math.max(
    fewestBeyond / (deals.count + 1),
    fewestBeyond / binomialCoefficient(n + m, Math.min(n, m)),
  )
  const df = Math.min(n, m) - 1

  /**
   * The probability of a t at least as far up as the observed one (down: `sign` −1), if the candidate is higher by
   * `estimate − shift`.
   */
  const tailAt = (shift: number, sign: 1 | -1): number => {
    const total = n * shift
    const squares = own + others + n * shift * shift
    const seen = (sign * shift) / error
    const line = seen - 1e-9 * Math.abs(seen)
    const highest = new Highest(Math.ceil(shareCounted * (deals.count + 1)))
    let beyond = 1
    for (let at = 0; at < deals.count; at++) {
      const k = deals.moved[at] ?? 0
      const sum = (deals.sums[at] ?? 0) + k * shift
      const square = (deals.squares[at] ?? 0) + 2 * shift * (deals.movedSums[at] ?? 0) + k * shift * shift
      const [mean, rest] = [sum / n, (total - sum) / m]
      const variance =
        Math.max(0, square - n * mean * mean) / (n - 1) / n +
        Math.max(0, squares - square - m * rest * rest) / (m - 1) / m
      const apart = sign * (mean - rest)
      const t =
        variance > rounding * rounding
          ? apart / Math.sqrt(variance)
          : Math.abs(apart) <= rounding
            ? 0
            : apart * Number.POSITIVE_INFINITY
      if (t >= line) beyond++
      highest.add(t)
    }
    const share = beyond / (deals.count + 1)
    const last = highest.least
    if (share >= shareCounted || !(seen > last) || !(last > 0)) return share
    return studentTSurvival((seen / last) * studentTUpperQuantile(shareCounted, df), df)
  }

  /** How far the end is beyond the estimate: at the lower one the difference is just significantly greater. */
  const reachOf = (tail: number, sign: 1 | -1): number => {
    let [low, high] = [0, 2 * error]
    for (let tries = 0; tailAt(sign * high, sign) > tail; tries++) {
      if (tries === 60) return Number.POSITIVE_INFINITY
      ;[low, high] = [high, 1.5 * high]
    }
    while (high - low > 1e-4 * high) {
      const middle = (low + high) / 2
      if (tailAt(sign * middle, sign) > tail) low = middle
      else high = middle
    }
    return high
  }

  return {
    p: alternative => {
      if (alternative !== 'two-sided') return tailAt(estimate, alternative === 'greater' ? 1 : -1)
      return Math.min(1, 2 * Math.min(tailAt(estimate, 1), tailAt(estimate, -1)))
    },
    interval: (level, alternative) => {
      const tail = alternative === 'two-sided' ? (1 - level) / 2 : 1 - level
      return {
        level,
        low: alternative === 'less' ? Number.NEGATIVE_INFINITY : estimate - reachOf(tail, 1),
        high: alternative === 'greater' ? Number.POSITIVE_INFINITY : estimate + reachOf(tail, -1),
      }
    },
    reach: tail => ({ below: reachOf(tail, 1) / error, above: reachOf(tail, -1) / error }),
  }
}

/**
 * The first group's part of each deal, both groups around their own means: so the sums for any difference between them
 * follow without dealing again.
 */
interface Deals {
  readonly count: number
  readonly sums: Float64Array
  readonly squares: Float64Array
  /** How many of the candidate's own values are in it, and their sum. */
  readonly moved: Float64Array
  readonly movedSums: Float64Array
}

function dealt(candidate: readonly number[], control: readonly number[], random: RandomSource, count: number): Deals {
  const n = candidate.length
  const [own, other] = [meanOf(candidate), meanOf(control)]
  const values = Float64Array.from([...candidate.map(value => value - own), ...control.map(value => value - other)])
  const order = Int32Array.from(values.keys())
  const deals = {
    count,
    sums: new Float64Array(count),
    squares: new Float64Array(count),
    moved: new Float64Array(count),
    movedSums: new Float64Array(count),
  }
  // The smaller group is dealt; the larger has the rest, and all are 0 in sum.
  const isSmaller = n <= control.length
  const drawn = Math.min(n, control.length)
  const squaresOfAll = values.reduce((sum, value) => sum + value * value, 0)
  for (let at = 0; at < count; at++) {
    let [sum, squares, moved, movedSum] = [0, 0, 0, 0]
    for (let place = 0; place < drawn; place++) {
      const chosen = place + random.below(order.length - place)
      const which = order[chosen] ?? 0
      order[chosen] = order[place] ?? 0
      order[place] = which
      const value = values[which] ?? 0
      sum += value
      squares += value * value
      if (which < n) {
        moved++
        movedSum += value
      }
    }
    deals.sums[at] = isSmaller ? sum : -sum
    deals.squares[at] = isSmaller ? squares : squaresOfAll - squares
    deals.moved[at] = isSmaller ? moved : n - moved
    deals.movedSums[at] = isSmaller ? movedSum : -movedSum
  }
  return deals
}

/** Keeps the highest values of those added. */
class Highest {
  readonly #kept: Float64Array
  #least = Number.NEGATIVE_INFINITY

  constructor(size: number) {
    this.#kept = new Float64Array(size).fill(Number.NEGATIVE_INFINITY)
  }

  /** The lowest of them. */
  get least(): number {
    return this.#least
  }

  add(value: number): void {
    if (!(value > this.#least)) return
    // Sorted upwards; the first one goes.
    const kept = this.#kept
    let at = 0
    while (at + 1 < kept.length && (kept[at + 1] ?? 0) < value) {
      kept[at] = kept[at + 1] ?? 0
      at++
    }
    kept[at] = value
    this.#least = kept[0] ?? value
  }
}
