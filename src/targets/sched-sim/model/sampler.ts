import type { Draws } from '../simulate/random/draws.ts'
import type { DistributionSpec } from './distribution-schema.ts'
import { evaluateFormula, type FormulaScope } from './formula.ts'
import type { Formula } from './parts.ts'

/** One service time in milliseconds, drawn without any tail. */
export type Sampler = (draws: Draws) => number

/** No step is faster. */
const floorMs = 1

/** How a step's service times are drawn in one iteration, and its own tail. */
export interface Service {
  readonly sample: Sampler
  readonly tailProbability: number
  readonly tailMultiplier: number
}

export function serviceOf(spec: DistributionSpec, scope: FormulaScope): Service {
  const tail = typeof spec === 'object' ? spec.tail : undefined
  const sample = samplerOf(spec, formula => evaluateFormula(formula, scope))
  return {
    sample: draws => Math.max(floorMs, sample(draws)),
    tailProbability: tail?.probability ?? 0,
    tailMultiplier: tail?.multiplier ?? 1,
  }
}

function samplerOf(spec: DistributionSpec, value: (formula: Formula) => number): Sampler {
  if (typeof spec !== 'object') return constant(value(spec))
  switch (spec.kind) {
    case 'constant':
      return constant(value(spec.value))
    case 'uniform':
      return uniform(value(spec.low), value(spec.high))
    case 'exponential':
      return exponential(value(spec.mean))
    case 'lognormal':
      return lognormal(value(spec.mu), value(spec.sigma))
    case 'gamma':
      return gamma(value(spec.shape), value(spec.scale))
    case 'empirical':
      return draws => spec.values[Math.floor(draws.uniform() * spec.values.length)] ?? 0
    case 'fit':
      throw new Error('a model is fitted before it is simulated')
  }
}

const constant =
  (ms: number): Sampler =>
  () =>
    ms
const uniform =
  (low: number, high: number): Sampler =>
  draws =>
    low + (high - low) * draws.uniform()
const exponential =
  (mean: number): Sampler =>
  draws =>
    -mean * Math.log(1 - draws.uniform())
const lognormal =
  (mu: number, sigma: number): Sampler =>
  draws =>
    Math.exp(mu + sigma * draws.normal())

/** Marsaglia and Tsang, "A simple method for generating gamma variables" (2000); shapes below 1 by their boost. */
function gamma(shape: number, scale: number): Sampler {
  if (shape < 1) {
    const boosted = gamma(shape + 1, scale)
    return draws => boosted(draws) * Math.exp(Math.log(1 - draws.uniform()) / shape)
  }
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  return draws => {
    for (;;) {
      const x = draws.normal()
      const root = 1 + c * x
      const cube = root * root * root
      if (cube <= 0) continue
      if (Math.log(1 - draws.uniform()) < 0.5 * x * x + d - d * cube + d * Math.log(cube)) return d * cube * scale
    }
  }
}
