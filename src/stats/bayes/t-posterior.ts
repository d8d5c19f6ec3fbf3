import { isConstant, standardDeviation } from '../describe/moments.ts'
import { firstUnusable } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import type { RandomSource } from '../random/random-source.ts'
import { type TGrid, tGrid } from './t-grid.ts'

export interface DrawOptions {
  readonly random: RandomSource
  readonly draws?: number
}

/** Posterior draws for each group: its centre and its scale, with outliers included. */
export interface GroupPosterior {
  readonly centres: Float64Array
  readonly scales: Float64Array
}

export interface TPosterior {
  readonly groups: readonly GroupPosterior[]
  /** Of all groups together: small if there are outliers. */
  readonly degreesOfFreedom: Float64Array
}

/**
 * One group (or the differences of pairs), or two with common degrees of freedom: the model of Kruschke 2013, "Bayesian
 * estimation supersedes the t test", with its priors. Computed on a grid rather than by Markov chains, so there is no
 * convergence to check and the same seed gives the same draws.
 */
export function tPosterior(groups: readonly (readonly number[])[], options: DrawOptions): Estimate<TPosterior> {
  const { random, draws = 20_000 } = options
  requireThat(Number.isInteger(draws) && draws > 0, `a whole number of draws above 0, got ${draws}`)
  if (groups.length === 0) return unavailable('no_data')
  const reason = firstUnusable(groups, 3)
  if (reason !== undefined) return reason
  if (groups.some(values => isConstant(values))) return unavailable('zero_variance')
  const deviation = standardDeviation(groups.flat())
  if (!isAvailable(deviation)) return deviation
  if (deviation === 0) return unavailable('zero_variance')
  const grids = degreesOfFreedomTried.map(df => groups.map(values => tGrid(values, df, deviation / 1000)))
  const chosen = cumulativeOf(grids.map(row => row.reduce((sum, grid) => sum + grid.logEvidence, 0)))
  const posterior = groups.map(() => ({ centres: new Float64Array(draws), scales: new Float64Array(draws) }))
  const degreesOfFreedom = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    const which = placeOf(chosen, random.next())
    degreesOfFreedom[draw] = degreesOfFreedomTried[which] ?? Number.NaN
    posterior.forEach(({ centres, scales }, group) => {
      const { centre, scale } = drawFrom(grids[which]?.[group], random)
      centres[draw] = centre
      scales[draw] = scale
    })
  }
  return { groups: posterior, degreesOfFreedom }
}

/** The prior 1 + exponential of mean 29, as equally likely slices of it. */
const degreesOfFreedomTried = Array.from({ length: 16 }, (_, slice) => 1 - 29 * Math.log(1 - (slice + 0.5) / 16))

function cumulativeOf(logs: readonly number[]): Float64Array {
  const most = Math.max(...logs)
  let sum = 0
  const running = Float64Array.from(logs, log => (sum += Math.exp(log - most)))
  return running.map(share => share / sum)
}

/** A cell by its probability, then a uniform position within it. */
function drawFrom(grid: TGrid | undefined, random: RandomSource): { readonly centre: number; readonly scale: number } {
  if (grid === undefined) return { centre: Number.NaN, scale: Number.NaN }
  const cell = placeOf(grid.cumulative, random.next())
  return grid.at(cell, random.next() - 0.5, random.next() - 0.5)
}

function placeOf(cumulative: Float64Array, share: number): number {
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((cumulative[middle] ?? 1) > share) high = middle
    else low = middle + 1
  }
  return low
}

/** Candidate minus control, and the same in units of their common scale, for a posterior of two groups. */
export function posteriorDifference({ groups }: TPosterior): {
  readonly difference: Float64Array
  readonly effectSize: Float64Array
} {
  const [candidate, control] = groups
  requireThat(candidate !== undefined && control !== undefined, 'the posterior of two groups')
  const difference = candidate.centres.map((centre, draw) => centre - (control.centres[draw] ?? 0))
  const effectSize = difference.map((value, draw) => {
    const [one, other] = [candidate.scales[draw] ?? 0, control.scales[draw] ?? 0]
    return value / Math.sqrt((one * one + other * other) / 2)
  })
  return { difference, effectSize }
}
