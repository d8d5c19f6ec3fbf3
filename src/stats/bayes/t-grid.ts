import { logGamma } from '../special/log-gamma.ts'

/** The posterior of a t distribution's centre and scale at given degrees of freedom, on a grid adapted to the data. */
export interface TGrid {
  /** The log probability of the data with these degrees of freedom. */
  readonly logEvidence: number
  /** Cumulative probabilities of the cells; the last is 1. */
  readonly cumulative: Float64Array
  /** The centre and the scale at a position of the grid, which need not be whole. */
  at(cell: number, shiftX: number, shiftY: number): { readonly centre: number; readonly scale: number }
}

const points = 61
const reach = 5
const step = (2 * reach) / (points - 1)

/** Priors: flat in the centre, and in the scale down to a thousandth of the standard deviation (Kruschke 2013). */
export function tGrid(values: readonly number[], df: number, leastScale: number): TGrid {
  const { centre, scale } = mostLikely(values, df, leastScale)
  const size = values.length
  // Fine near the most likely point and wide in the tails, relative to the precision of the data.
  const centreAt = (x: number) => centre + (scale / Math.sqrt(size)) * Math.sinh(x)
  const logScaleAt = (y: number) => Math.log(scale) + Math.sinh(y) / Math.sqrt(2 * size)
  const constant = size * (logGamma((df + 1) / 2) - logGamma(df / 2) - 0.5 * Math.log(df * Math.PI))
  const cell = (index: number) => ({ x: (index % points) * step - reach, y: Math.floor(index / points) * step - reach })
  const logs = Float64Array.from({ length: points * points }, (_, index) => {
    const { x, y } = cell(index)
    const logScale = logScaleAt(y)
    if (logScale < Math.log(leastScale)) return -Infinity
    const jacobian = Math.log(scale * Math.cosh(x)) + logScale + Math.log(Math.cosh(y)) - Math.log(size)
    return constant - size * logScale - ((df + 1) / 2) * logDeviations(values, centreAt(x), logScale, df) + jacobian
  })
  const most = logs.reduce((largest, log) => Math.max(largest, log), -Infinity)
  let sum = 0
  const cumulative = logs.map(log => (sum += Math.exp(log - most)))
  return {
    logEvidence: most + Math.log(sum),
    cumulative: cumulative.map(share => share / sum),
    at(index, shiftX, shiftY) {
      const { x, y } = cell(index)
      return { centre: centreAt(x + shiftX * step), scale: Math.exp(logScaleAt(y + shiftY * step)) }
    },
  }
}

function logDeviations(values: readonly number[], centre: number, logScale: number, df: number): number {
  const weight = Math.exp(-2 * logScale) / df
  let sum = 0
  for (const value of values) sum += Math.log1p((value - centre) ** 2 * weight)
  return sum
}

/** By EM, in which outliers get less weight (Lange, Little & Taylor 1989, JASA 84:881). */
function mostLikely(values: readonly number[], df: number, leastScale: number): { centre: number; scale: number } {
  const sorted = [...values].sort((one, other) => one - other)
  let centre = sorted[sorted.length >>> 1] ?? 0
  let scale = 100 * leastScale
  for (let round = 0; round < 200; round++) {
    let [weights, total, squares] = [0, 0, 0]
    for (const value of values) {
      const weight = (df + 1) / (df + ((value - centre) / scale) ** 2)
      weights += weight
      total += weight * value
      squares += weight * (value - centre) ** 2
    }
    const next = Math.max(leastScale * 2, Math.sqrt(squares / values.length))
    const isSettled = Math.abs(next / scale - 1) < 1e-6
    centre = total / weights
    scale = next
    if (isSettled) break
  }
  return { centre, scale }
}
