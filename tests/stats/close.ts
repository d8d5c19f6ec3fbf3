import { expect } from 'vitest'
import { type Estimate, isAvailable } from '../../src/stats/estimate.ts'

/** Equal up to a relative error; far smaller numbers than `toBeCloseTo` can tell apart. */
export function expectClose(got: number, wanted: number, relative = 1e-12): void {
  const error = got === wanted ? 0 : Math.abs(got - wanted) / Math.abs(wanted)
  expect(error, `${got} instead of ${wanted}`).toBeLessThan(relative)
}

/**
 * A share that was counted in so many draws is the one wanted: within four standard errors of a binomial share, which
 * right code leaves once in 16,000 seeds.
 */
export function expectShare(got: number, wanted: number, draws: number): void {
  expectWithin(got, wanted, Math.sqrt((wanted * (1 - wanted)) / draws))
}

/** An estimate agrees with the true value within four standard errors. */
export function expectWithin(got: number, wanted: number, standardError: number): void {
  expect(Math.abs(got - wanted), `${got} instead of ${wanted}`).toBeLessThan(4 * standardError)
}

/** The value, which must be there. */
export function given<T>(estimate: Estimate<T>): T {
  if (!isAvailable(estimate)) throw new Error(`no value: ${JSON.stringify(estimate)}`)
  return estimate
}

/** Uniform numbers that are the same in every run of the tests (Park & Miller 1988). */
export function steadyRandom(seed = 1): () => number {
  let state = seed
  return () => {
    state = (state * 48271) % 2147483647
    return state / 2147483647
  }
}
