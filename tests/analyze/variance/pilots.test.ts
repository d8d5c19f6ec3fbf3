import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { enoughRuns } from '../../../src/analyze/variance/variation.ts'
import { normalCdf } from '../../../src/stats/distributions/normal.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { cvCurve } from '../../../src/stats/variation/cv-curve.ts'
import { expectShare } from '../../stats/close.ts'

const threshold = 0.05

/** Pilots of that many runs whose rewards have mean 1 and this true coefficient of variation. */
function* pilots(count: number, runs: number, cv: number): Generator<readonly number[]> {
  const next = normalDeviates(counterRandom(20251105))
  for (let pilot = 0; pilot < count; pilot++) yield Array.from({ length: runs }, () => 1 + cv * next())
}

function shareOf(all: Iterable<readonly number[]>, isStable: (values: readonly number[]) => boolean): number {
  const answers = [...all].map(isStable)
  return answers.filter(answer => answer).length / answers.length
}

const firstBelow = (values: readonly number[]): boolean => cvCurve(values, threshold).firstBelow !== null

/**
 * How often two values have a CV below the threshold: their difference is independent of their mean, which is 1 but for
 * a little, so that |z| must be below the threshold over the true CV.
 */
const pairBelow = (cv: number): number => 2 * normalCdf(threshold / cv) - 1

const ours = (values: readonly number[]): boolean => enoughRuns(values, threshold, 0.95) !== null

describe('pilots of 15 runs, a threshold of 5%', () => {
  it('with a true CV of 10%, “the first N below” calls 45% of them stable, 38% at N = 2, an upper bound none', () => {
    expectShare(shareOf(pilots(20_000, 15, 0.1), firstBelow), 0.45, 20_000)
    expectShare(shareOf(pilots(20_000, 2, 0.1), firstBelow), pairBelow(0.1), 20_000)
    expect(pairBelow(0.1)).toBeCloseTo(0.38, 2)
    expect(shareOf(pilots(1000, 15, 0.1), ours)).toBe(0)
  })

  it('with a true CV of 30% it is 14% of them, 13% at N = 2, and again none', () => {
    expectShare(shareOf(pilots(20_000, 15, 0.3), firstBelow), 0.137, 20_000)
    expectShare(shareOf(pilots(20_000, 2, 0.3), firstBelow), pairBelow(0.3), 20_000)
    expect(pairBelow(0.3)).toBeCloseTo(0.13, 2)
    expect(shareOf(pilots(200, 15, 0.3), ours)).toBe(0)
  })

  it('with a CV exactly at the threshold, an upper bound is wrong no more often than its level allows', () => {
    expect(shareOf(pilots(1000, 15, 0.05), ours)).toBeLessThan(0.04)
  })

  it('with a true CV of 2% it finds almost all of them stable, and with 4% once there are enough runs', () => {
    expect(shareOf(pilots(1000, 15, 0.02), ours)).toBeGreaterThan(0.97)
    expect(shareOf(pilots(300, 15, 0.04), ours)).toBeLessThan(0.4)
    expect(shareOf(pilots(100, 150, 0.04), ours)).toBeGreaterThan(0.9)
  })
})
