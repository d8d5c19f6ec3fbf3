import { test } from 'vitest'
import type { DistributionSpec } from '../../../../src/targets/sched-sim/model/distribution-schema.ts'
import { expectWithin99 } from '../support/interval.ts'
import { meanWaits } from '../support/queue.ts'

interface Service {
  readonly spec: DistributionSpec
  readonly mean: number
  readonly variance: number
}

const lognormal = (mu: number, sigma: number): Service => {
  const mean = Math.exp(mu + sigma ** 2 / 2)
  return { spec: { kind: 'lognormal', mu, sigma }, mean, variance: mean ** 2 * Math.expm1(sigma ** 2) }
}

const services: Readonly<Record<string, Service>> = {
  constant: { spec: { kind: 'constant', value: 400 }, mean: 400, variance: 0 },
  uniform: { spec: { kind: 'uniform', low: 100, high: 900 }, mean: 500, variance: 800 ** 2 / 12 },
  gamma: { spec: { kind: 'gamma', shape: 4, scale: 25 }, mean: 100, variance: 4 * 25 ** 2 },
  'gamma of shape below 1': { spec: { kind: 'gamma', shape: 0.5, scale: 1000 }, mean: 500, variance: 0.5 * 1000 ** 2 },
  lognormal: lognormal(6, 0.8),
}

test.each(
  Object.entries(services).flatMap(([name, service]) => [0.4, 0.75].map(load => [name, load, service] as const)),
)('one server with %s service at load %f waits as Pollaczek and Khinchine predict', (_name, load, service) => {
  const { spec, mean, variance } = service
  const queue = { servers: 1, arrivalsPerS: (1000 * load) / mean, service_ms: spec }
  const expected = (load * mean * (1 + variance / mean ** 2)) / (2 * (1 - load))
  // A queue that is seldom full forgets soon.
  expectWithin99(meanWaits(queue, { workflows: load < 0.5 ? 4_000 : 10_000, replications: 12 }), expected)
})

test('a heavy tail is treated as a mixture', () => {
  // Exponential of mean 100 ms, ten times as long with a chance of 5%; no service is below 1 ms, which 1% feel.
  const mean = 100 * (0.95 + 0.5)
  const square = 2 * 100 ** 2 * (0.95 + 0.05 * 100)
  const load = 0.5
  const tail = { probability: 0.05, multiplier: 10 }
  const queue = {
    servers: 1,
    arrivalsPerS: (1000 * load) / mean,
    service_ms: { kind: 'exponential' as const, mean: 100, tail },
  }
  const expected = ((queue.arrivalsPerS / 1000) * square) / (2 * (1 - load))
  expectWithin99(meanWaits(queue, { workflows: 10_000, replications: 12 }), expected)
})
