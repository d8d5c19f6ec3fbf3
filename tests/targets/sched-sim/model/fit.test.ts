import { describe, expect, test } from 'vitest'
import type { DistributionSpec } from '../../../../src/targets/sched-sim/model/distribution-schema.ts'
import { fitDistribution, kolmogorovDistance } from '../../../../src/targets/sched-sim/model/fit.ts'
import { serviceOf } from '../../../../src/targets/sched-sim/model/sampler.ts'
import { Draws } from '../../../../src/targets/sched-sim/simulate/random/draws.ts'
import { expectShare, expectWithin } from '../../../stats/close.ts'

const scope = { pdfs: 10, subqueries: 4, iteration: 0, size: 0 }

function samplesOf(spec: DistributionSpec, count = 20_000): readonly number[] {
  const { sample } = serviceOf(spec, scope)
  const draws = new Draws(11n)
  return Array.from({ length: count }, (_, index) => {
    draws.startAt(1, 0, index, 1)
    return sample(draws)
  })
}

const lognormal = { kind: 'lognormal', mu: 6, sigma: 0.8 } as const
const gamma = { kind: 'gamma', shape: 4, scale: 25 } as const
const exponential = { kind: 'exponential', mean: 300 } as const

describe('samples give back their distribution', () => {
  test('lognormal', () => {
    const fitted = fitDistribution(samplesOf(lognormal), 'lognormal')
    if (fitted.kind !== 'lognormal') throw new Error('expected a lognormal')
    expectWithin(Number(fitted.mu), 6, 0.8 / Math.sqrt(20_000))
    expectWithin(Number(fitted.sigma), 0.8, 0.8 / Math.sqrt(2 * 20_000))
  })

  test('gamma', () => {
    const fitted = fitDistribution(samplesOf(gamma), 'gamma')
    if (fitted.kind !== 'gamma') throw new Error('expected a gamma')
    expect(Math.abs(Number(fitted.shape) / 4 - 1)).toBeLessThan(0.05)
    expect(Math.abs(Number(fitted.scale) / 25 - 1)).toBeLessThan(0.05)
  })

  test('exponential', () => {
    const fitted = fitDistribution(samplesOf(exponential), 'exponential')
    expect(fitted.kind === 'exponential' && Math.abs(Number(fitted.mean) / 300 - 1) < 0.03).toBe(true)
  })

  test('empirical: every sample itself, in equal shares', () => {
    const spec = fitDistribution([10, 20, 20, 70], 'empirical')
    const drawn = samplesOf(spec, 8_000)
    const share = (value: number) => drawn.filter(sample => sample === value).length / drawn.length
    expectShare(share(10), 0.25, 8_000)
    expectShare(share(20), 0.5, 8_000)
    expectShare(share(70), 0.25, 8_000)
  })
})

test.each([lognormal, gamma, exponential])('best finds the family of $kind', spec => {
  const samples = samplesOf(spec)
  // An exponential is a gamma of shape 1: either will do.
  const families = spec.kind === 'exponential' ? ['exponential', 'gamma'] : [spec.kind]
  const best = fitDistribution(samples, 'best')
  expect(families).toContain(best.kind)
  // Lilliefors-like: within the usual distance of a sample of 20,000 from its own distribution.
  expect(kolmogorovDistance(samples, best)).toBeLessThan(1.6 / Math.sqrt(samples.length))
})

test('equal latencies are fitted by a constant', () => {
  expect(new Set(samplesOf(fitDistribution([40, 40, 40], 'best'), 20).map(Math.round))).toEqual(new Set([40]))
})
