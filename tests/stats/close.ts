import { expect } from 'vitest'
import { type Estimate, isAvailable } from '../../src/stats/outcome.ts'

/** Equal up to a relative error; far smaller numbers than `toBeCloseTo` can tell apart. */
export function expectClose(got: number, wanted: number, relative = 1e-12): void {
  if (got === wanted) return
  expect(Math.abs(got - wanted) / Math.abs(wanted), `${got} instead of ${wanted}`).toBeLessThan(relative)
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
