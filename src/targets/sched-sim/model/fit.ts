import { incompleteGamma, meanOf, normalCdf } from '../../../stats/index.ts'
import type { DistributionSpec, Family } from './distribution-schema.ts'

type Fitted = Exclude<DistributionSpec, number | string>

/**
 * The maximum-likelihood distribution of a family for the latencies; `best` is the parametric family whose distribution
 * function comes closest to the data's (Kolmogorov distance).
 */
export function fitDistribution(latencies: readonly number[], family: Family): Fitted {
  switch (family) {
    case 'exponential':
      return { kind: 'exponential', mean: meanOf(latencies) }
    case 'lognormal':
      return fitLognormal(latencies)
    case 'gamma':
      return fitGamma(latencies)
    case 'empirical':
      return { kind: 'empirical', values: [...latencies] }
    case 'best':
      return closest(latencies, [
        fitLognormal(latencies),
        fitGamma(latencies),
        fitDistribution(latencies, 'exponential'),
      ])
  }
}

function fitLognormal(latencies: readonly number[]): Fitted {
  const logs = latencies.map(Math.log)
  const mu = meanOf(logs)
  return { kind: 'lognormal', mu, sigma: Math.sqrt(meanOf(logs.map(log => (log - mu) ** 2))) }
}

/** In closed form and nearly as good as the most likely: Ye and Chen, "Closed-form estimators for the gamma" (2017). */
function fitGamma(latencies: readonly number[]): Fitted {
  const average = meanOf(latencies)
  const scale = meanOf(latencies.map(value => value * Math.log(value))) - average * meanOf(latencies.map(Math.log))
  // Equal latencies have no spread to fit: a very narrow distribution replaces them.
  const spread = Math.max(scale, average * 1e-9)
  return { kind: 'gamma', shape: average / spread, scale: spread }
}

function closest(latencies: readonly number[], candidates: readonly Fitted[]): Fitted {
  const distances = candidates.map(candidate => kolmogorovDistance(latencies, candidate))
  return candidates[distances.indexOf(Math.min(...distances))] ?? { kind: 'empirical', values: [...latencies] }
}

/** The largest gap between the data's distribution function and the model's. */
export function kolmogorovDistance(latencies: readonly number[], model: Fitted): number {
  const sorted = [...latencies].sort((a, b) => a - b)
  return sorted.reduce((largest, value, index) => {
    const expected = distributionFunction(model, value)
    const below = index / sorted.length
    const upTo = (index + 1) / sorted.length
    return Math.max(largest, Math.abs(expected - below), Math.abs(upTo - expected))
  }, 0)
}

function distributionFunction(model: Fitted, value: number): number {
  switch (model.kind) {
    case 'exponential':
      return 1 - Math.exp(-value / Number(model.mean))
    case 'lognormal':
      return normalCdf((Math.log(value) - Number(model.mu)) / Number(model.sigma))
    case 'gamma':
      return incompleteGamma(Number(model.shape), value / Number(model.scale)).lower
    default:
      return Number.NaN
  }
}
