import { resampledTs, steadyError, studentizeDifference, studentizeMean } from '../bootstrap/studentized.ts'
import { sumOfSquares } from '../describe/moments.ts'
import { sortedQuantile } from '../describe/quantile.ts'
import { noncentralTCdf, noncentralTSurvival } from '../distributions/noncentral-t.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { studentTUpperQuantile } from '../distributions/student-t.ts'
import { isAvailable, requireThat } from '../estimate.ts'
import { counterRandom } from '../random/counter-random.ts'
import type { Alternative } from '../tests/alternative.ts'
import { steadyWelchTest } from '../tests/means/welch.ts'
import { areUnlikeInSize, studentizedPermutation } from '../tests/permutation/studentized.ts'
import { storedLines } from './stored-lines.ts'

/** Pairs, or the runs of two groups. */
export type Sizes = readonly [pairs: number] | readonly [candidate: number, control: number]

export interface DefaultTest {
  /** The degrees of freedom of the statistic: all units but one of each sample. */
  readonly df: number
  /** The probability that a true difference of this many standard errors is found. */
  power(shift: number): number
  /** The expected half-width of the interval, in standard errors. */
  readonly reach: number
}

/**
 * The test that `compare` uses on numbers, on normal data: t, and from `fewUnits` units on the larger p of t and the
 * studentised bootstrap; for groups of unequal size a permutation p of t counts, too. For normal samples, shape and
 * size are independent: the shape determines the bootstrap's critical value, and given that, the probability to exceed
 * it is that of a noncentral t. So a few hundred shapes give the power of every effect, smoothly and within half a
 * point (docs/calibration.md), and the same draws serve all effects.
 */
export function defaultTest(
  sizes: Sizes,
  {
    alpha,
    alternative,
    fewUnits,
    df = sizes.reduce((sum, n) => sum + n - 1, 0),
  }: {
    readonly alpha: number
    readonly alternative: Alternative
    /** Infinite: only t was requested. */
    readonly fewUnits: number
    /** Other degrees of freedom: if groups differ in spread, or units in weight. */
    readonly df?: number
  },
): DefaultTest {
  requireThat(df > 0, 'enough units for a spread')
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const critical = studentTUpperQuantile(tail, df)
  const lines = linesFor(sizes, tail, fewUnits).map(excess => critical + excess)
  const average = (chanceAt: (line: number) => number): number =>
    lines.reduce((sum, line) => sum + chanceAt(line), 0) / lines.length
  return {
    df,
    reach: average(line => line),
    power: shift =>
      Math.min(
        1,
        average(
          line =>
            (alternative === 'less' ? 0 : noncentralTSurvival(line, df, shift)) +
            (alternative === 'greater' ? 0 : noncentralTCdf(-line, df, shift)),
        ),
      ),
  }
}

/**
 * Numbers of units for which shapes are drawn; between and beyond them, the addition to Student's critical value
 * shrinks with 1 / n.
 */
export const drawnSizes = [7, 8, 10, 12, 15, 20, 30, 50, 100]

/** The ratios of the larger to the smaller group that are drawn: in between, little changes. */
const ratios = [1, 1.25, 1.5, 2, 3, 5, 10]

const nearestOf = (values: readonly number[], to: number): number =>
  values.reduce((best, one) => (Math.abs(Math.log(one / to)) < Math.abs(Math.log(best / to)) ? one : best))

/** How far the critical value is beyond that of Student's t: equally likely values of it, in increasing order. */
function linesFor(sizes: Sizes, tail: number, fewUnits: number): readonly number[] {
  const n = Math.min(...sizes)
  const isDealt = sizes.length === 2 && Number.isFinite(fewUnits) && areUnlikeInSize(...sizes)
  if (n < fewUnits) return sizes.length === 1 ? [0] : drawnLines(sizes, tail, { isResampled: false, isDealt })
  const ratio = nearestOf(ratios, Math.max(...sizes) / n)
  const scaled = (to: number): Sizes =>
    sizes.length === 1 ? [to] : [sizes[0] > n ? Math.round(ratio * to) : to, sizes[1] > n ? Math.round(ratio * to) : to]
  const at = (to: number): readonly number[] => drawnLines(scaled(to), tail, { isResampled: true, isDealt })
  if (drawnSizes.includes(n)) return at(n)
  const above = drawnSizes.find(size => size > n)
  const below = drawnSizes.findLast(size => size < n) ?? 7
  if (above === undefined) return at(below).map(excess => (excess * below) / n)
  const share = (1 / n - 1 / above) / (1 / below - 1 / above)
  const [few, many] = [at(below), at(above)]
  return few.map((excess, index) => share * excess + (1 - share) * (many[index] ?? 0))
}

/** Fewer if the bootstrap's critical value is close to Student's whatever the shape. */
const shapesFor = (sizes: Sizes): number => (Math.min(...sizes) <= 20 ? 512 : 256)
const binned = 16
const known = new Map<string, readonly number[]>()

/** Whether the critical values of the bootstrap and of the permutation count, if they exist. */
interface Beside {
  readonly isResampled: boolean
  readonly isDealt: boolean
}

function drawnLines(sizes: Sizes, tail: number, beside: Beside): readonly number[] {
  const key = [...sizes, tail, beside.isResampled, beside.isDealt].join()
  const isUsual = beside.isResampled && !beside.isDealt
  const stored = isUsual ? storedLines[[...sizes, tail].join()] : undefined
  const found = stored ?? known.get(key) ?? drawn(sizes, tail, beside)
  if (known.size > 500) known.clear()
  known.set(key, found)
  return found
}

/** Computed anew; the usual ones are also in stored-lines.ts, which `npm run lines` writes. */
export function drawn(sizes: Sizes, tail: number, { isResampled, isDealt }: Beside): readonly number[] {
  const random = counterRandom(
    1,
    sizes.reduce((sum, n) => 1000 * sum + n, 0),
  )
  // Enough of them for the required tail; beyond, it is too far out for anything but Student's t.
  const resamples = Math.min(1999, Math.max(499, Math.ceil(10 / tail)))
  const sample = (n: number): number[] =>
    Array.from({ length: n }, () => normalQuantile((random.below(2 ** 30) + 0.5) / 2 ** 30))
  const df = sizes.reduce((sum, n) => sum + n - 1, 0)
  const student = studentTUpperQuantile(tail, df)
  const lines: number[] = []
  for (let shape = 0; shape < shapesFor(sizes) / 2; shape++) {
    const [first, second] = [sample(sizes[0]), sizes.length === 1 ? null : sample(sizes[1])]
    const drawing = { random, resamples }
    const found = !isResampled
      ? null
      : second === null
        ? studentizeMean(first, drawing)
        : studentizeDifference(first, second, drawing)
    const welch = second === null ? null : steadyWelchTest(first, second)
    const pooled = Math.sqrt(
      ((sumOfSquares(first) + sumOfSquares(second ?? [0])) / df) * sizes.reduce((sum, n) => sum + 1 / n, 0),
    )
    // In units of the pooled error, whose distribution is Student's.
    const [own, ratio] =
      welch !== null && isAvailable(welch)
        ? [studentTUpperQuantile(tail, welch.df), welch.standardError / pooled]
        : [student, 1]
    const ts = found === null || !isAvailable(found) ? [] : Float64Array.from(resampledTs(found, steadyError)).sort()
    const [low, high] = ts.length === 0 ? [0, 0] : [sortedQuantile(ts, tail), sortedQuantile(ts, 1 - tail)]
    const permuted =
      isDealt && second !== null && areUnlikeInSize(first.length, second.length)
        ? studentizedPermutation(first, second, { random, resamples })
        : null
    const reach = permuted === null || !isAvailable(permuted) ? { below: 0, above: 0 } : permuted.reach(tail)
    // A shape and its mirror image are equally likely.
    lines.push(Math.max(own, high, reach.below) * ratio - student, Math.max(own, -low, reach.above) * ratio - student)
  }
  const sorted = lines.toSorted((a, b) => a - b)
  const size = sorted.length / binned
  return Array.from({ length: binned }, (_, bin) => {
    const part = sorted.slice(bin * size, (bin + 1) * size)
    return part.reduce((sum, line) => sum + line, 0) / part.length
  })
}
