import { chiSquaredQuantile } from '../distributions/chi-squared.ts'
import { normalCdf } from '../distributions/normal.ts'
import { studentTUpperQuantile } from '../distributions/student-t.ts'
import { counterRandom } from '../random/counter-random.ts'
import type { Alternative } from '../tests/alternative.ts'
import type { CrossedMean } from './crossed-mean.ts'

/** A number of units and levels of the other block, and each mean square's part of the variance of the mean. */
export interface CrossedDesign extends Pick<CrossedMean, 'parts'> {
  readonly units: number
  readonly levels: number
}

/**
 * The power of the most cautious of three tests (units alone, levels alone, both as crossed random effects), on normal
 * data. Without missing cells the mean squares are independent of the mean and of each other: they are drawn, and given
 * them the probability that the mean is far enough is normal. Missing cells are treated as if the others were spread
 * over all. Two unpaired arms each have their own units and levels, and their variances add up (Welch 1947).
 */
export function crossedPower(
  designs: readonly CrossedDesign[],
  { alpha, alternative }: { readonly alpha: number; readonly alternative: Alternative },
): (difference: number) => number {
  const tail = alternative === 'two-sided' ? alpha / 2 : alpha
  const arms = designs.map(({ units, levels, parts }, arm) => {
    const df = { rows: units - 1, columns: levels - 1, error: (units - 1) * (levels - 1) }
    // Levels vary at least as much as their noise; so do units.
    const own = { ...parts, columns: Math.max(parts.columns, parts.error), rows: Math.max(parts.rows, parts.error) }
    const draws = (levels < 2 ? [df.rows] : [df.rows, df.columns, df.error]).map((each, stream) =>
      meanSquares(each, stream, arm),
    )
    return { units, levels, df, own, draws }
  })
  const error = Math.sqrt(
    arms.reduce((sum, { own, levels }) => sum + own.rows + (levels < 2 ? 0 : own.columns - own.error), 0),
  )
  const lines = Array.from({ length: drawn }, (_, at) => {
    const tests = arms.map(({ units, levels, df, own, draws }) => {
      const rows = { variance: own.rows * (draws[0]?.[at] ?? 1), df: df.rows }
      // No level recurs in this arm, so only its units are used.
      if (levels < 2) return [rows, rows, rows] as const
      const columns = own.columns * (draws[1]?.[at] ?? 1)
      const noise = own.error * (draws[2]?.[at] ?? 1)
      const variance = Math.max(rows.variance + Math.max(0, columns - noise), columns)
      const spread = rows.variance ** 2 / df.rows + columns ** 2 / df.columns + noise ** 2 / df.error
      const both = Math.max(1, Math.min(Math.max(units, levels) - 1, variance ** 2 / spread))
      return [rows, { variance: columns, df: df.columns }, { variance, df: both }] as const
    })
    return Math.max(...([0, 1, 2] as const).map(test => lineOf(tests.map(of => of[test]))))
  })
  /** The critical value of a test of arms that are added up. */
  function lineOf(parts: readonly { readonly variance: number; readonly df: number }[]): number {
    const variance = parts.reduce((sum, part) => sum + part.variance, 0)
    const doubt = parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0)
    return variance > 0 ? quantileAt(tail, variance ** 2 / doubt) * Math.sqrt(variance) : 0
  }
  return difference =>
    lines.reduce(
      (sum, line) =>
        sum +
        (alternative === 'less' ? 0 : normalCdf((difference - line) / error)) +
        (alternative === 'greater' ? 0 : normalCdf((-difference - line) / error)),
      0,
    ) / lines.length
}

const drawn = 400

/** Mean squares with these degrees of freedom around 1, in random order: drawn once, as they serve every spread. */
function meanSquares(df: number, stream: number, arm: number): Float64Array {
  const key = 4 * df + stream + arm * 1e9
  const found = known.get(key) ?? drawSquares(df, key)
  if (known.size > 200) known.clear()
  known.set(key, found)
  return found
}

const known = new Map<number, Float64Array>()

/** One from each of equally likely ranges: independent draws would be off by a point or two of power. */
function drawSquares(df: number, stream: number): Float64Array {
  const random = counterRandom(1, stream)
  const order = Array.from({ length: drawn }, (_, at) => ({ at, by: random.next() })).toSorted((a, b) => a.by - b.by)
  return Float64Array.from(order, ({ at }) => chiSquaredQuantile((at + 0.5) / drawn, df) / df)
}

/** Between whole degrees of freedom the quantile is nearly linear in their reciprocal. */
function quantileAt(tail: number, df: number): number {
  // A whole number up to rounding is one.
  const whole = Math.floor(df * (1 + 1e-12))
  const below = quantileOf(tail, whole)
  if (whole >= df) return below
  const share = (1 / whole - 1 / df) / (1 / whole - 1 / (whole + 1))
  return below + share * (quantileOf(tail, whole + 1) - below)
}

/** For whole degrees of freedom, each computed once. */
function quantileOf(tail: number, df: number): number {
  const key = `${tail},${df}`
  const found = quantiles.get(key) ?? studentTUpperQuantile(tail, df)
  if (quantiles.size > 2000) quantiles.clear()
  quantiles.set(key, found)
  return found
}

const quantiles = new Map<string, number>()
