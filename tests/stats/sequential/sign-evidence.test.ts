import { describe, expect, it } from 'vitest'
import { signEvidence } from '../../../src/stats/sequential/sign-evidence.ts'

describe('evidence from signs', () => {
  it('is 1 before anything is known', () => {
    expect(signEvidence(0, 0)).toBeCloseTo(1, 12)
  })

  it('equals its defining integral', () => {
    for (const [worse, better] of [
      [1, 0],
      [0, 1],
      [5, 2],
      [30, 30],
      [40, 10],
    ] as const) {
      const n = 20_000
      let sum = 0
      for (let index = 0; index < n; index++) {
        const share = 0.5 + (index + 0.5) / n / 2
        sum += (2 * share) ** worse * (2 * (1 - share)) ** better
      }
      expect(signEvidence(worse, better) / (sum / n)).toBeCloseTo(1, 6)
    }
  })

  it('does not grow on average if worse and better are equally likely', () => {
    for (const [worse, better] of [
      [0, 0],
      [3, 1],
      [10, 12],
      [25, 5],
    ] as const) {
      const next = (signEvidence(worse + 1, better) + signEvidence(worse, better + 1)) / 2
      expect(next / signEvidence(worse, better)).toBeCloseTo(1, 10)
    }
  })

  it('stays finite for thousands of pairs', () => {
    expect(signEvidence(5000, 5000)).toBeLessThan(1)
    expect(signEvidence(900, 100)).toBeGreaterThan(1e100)
  })
})
