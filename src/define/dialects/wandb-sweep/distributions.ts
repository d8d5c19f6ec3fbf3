import type { Domain, Step } from '../../experiment.ts'
import { stepValue } from '../../levels.ts'
import type { WrittenParameter } from './sweep-schema.ts'

/** A distribution of the sweep format: the keys it takes, and what it draws from. */
interface Distribution {
  readonly needs: readonly (keyof WrittenParameter)[]
  readonly takes: readonly (keyof WrittenParameter)[]
  /** Only for numbers; the others are lists. Text: what is wrong with the limits. */
  domain?(written: Required<Limits>, step: Step | null): Domain | string
}

interface Limits {
  readonly min: number
  readonly max: number
  readonly mu: number
  readonly sigma: number
  readonly a: number
  readonly b: number
}

/** Defaults of omitted keys. */
export const defaults = { q: 1, mu: 0, sigma: 1, a: 1, b: 1 } as const

const uniform = (min: number, max: number, scale: 'linear' | 'log', step: Step | null): Domain | string => {
  if (scale === 'log' && !(min > 0 && max < Number.POSITIVE_INFINITY))
    return `a logarithm needs numbers above 0 that are not too large, got ${min} to ${max}`
  return { kind: 'uniform', min, max, scale, step }
}

const range = { needs: ['min', 'max'], takes: ['min', 'max'] } as const
const steps = { needs: ['min', 'max'], takes: ['min', 'max', 'q'] } as const

const ofNumbers = ({ min, max }: Limits, step: Step | null) => uniform(min, max, 'log', step)
const ofExponents = ({ min, max }: Limits, step: Step | null) => uniform(Math.exp(min), Math.exp(max), 'log', step)
const ofInverse = ({ min, max }: Limits) => uniform(Math.exp(-max), Math.exp(-min), 'log', null)
const normal = (scale: 'linear' | 'log') => (limits: Limits, step: Step | null) =>
  ({ kind: 'normal', mean: limits.mu, sd: limits.sigma, scale, step }) as const
const beta = ({ a, b }: Limits, step: Step | null) => ({ kind: 'beta', a, b, step }) as const

/**
 * All distributions. The inverse ones draw exp(−x), or have log(1/x) uniformly distributed: both are uniform on a log
 * scale, so they are the same numbers as the others, with the limits swapped where they are exponents.
 */
export const distributions = {
  constant: { needs: ['value'], takes: ['value'] },
  categorical: { needs: ['values'], takes: ['values'] },
  categorical_w_probabilities: { needs: ['values', 'probabilities'], takes: ['values', 'probabilities'] },
  int_uniform: { ...range, domain: ({ min, max }) => uniform(min, max, 'linear', { size: 1, from: min }) },
  uniform: { ...range, domain: ({ min, max }) => uniform(min, max, 'linear', null) },
  q_uniform: { ...steps, domain: ({ min, max }, step) => uniform(min, max, 'linear', step) },
  log_uniform: { ...range, domain: ofExponents },
  log_uniform_values: { ...range, domain: ofNumbers },
  q_log_uniform: { ...steps, domain: ofExponents },
  q_log_uniform_values: { ...steps, domain: ofNumbers },
  inv_log_uniform: { ...range, domain: ofInverse },
  inv_log_uniform_values: { ...range, domain: ofNumbers },
  normal: { needs: [], takes: ['mu', 'sigma'], domain: normal('linear') },
  q_normal: { needs: [], takes: ['mu', 'sigma', 'q'], domain: normal('linear') },
  log_normal: { needs: [], takes: ['mu', 'sigma'], domain: normal('log') },
  q_log_normal: { needs: [], takes: ['mu', 'sigma', 'q'], domain: normal('log') },
  beta: { needs: [], takes: ['a', 'b'], domain: beta },
  q_beta: { needs: [], takes: ['a', 'b', 'q'], domain: beta },
} as const satisfies Record<string, Distribution>

export type DistributionName = keyof typeof distributions

export const distributionNames = Object.keys(distributions) as DistributionName[]

export const distributionOf = (name: DistributionName): Distribution => distributions[name]

/** The grid of `q_uniform`: from the minimum on, without the maximum, like numpy's arange. */
export function arange(min: number, max: number, q: number): readonly number[] {
  const count = Math.max(0, Math.ceil((max - min) / q - 1e-9))
  return Array.from({ length: count }, (_, index) => stepValue({ size: q, from: min }, index))
}
