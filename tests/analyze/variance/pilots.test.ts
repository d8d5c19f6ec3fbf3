import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { enoughRuns } from '../../../src/analyze/variance/enough.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { cvCurve } from '../../../src/stats/variation/cv-curve.ts'

const threshold = 0.05

/** Pilots of so many runs whose rewards have mean 1 and this true coefficient of variation. */
function* pilots(count: number, runs: number, cv: number): Generator<readonly number[]> {
  const next = normalDeviates(counterRandom(20251105))
  for (let pilot = 0; pilot < count; pilot++) yield Array.from({ length: runs }, () => 1 + cv * next())
}

function shareOf(all: Iterable<readonly number[]>, isStable: (values: readonly number[]) => boolean): number {
  const answers = [...all].map(isStable)
  return answers.filter(answer => answer).length / answers.length
}

const firstBelow = (values: readonly number[]): boolean => cvCurve(values, threshold).firstBelow !== null

const ours = (values: readonly number[]): boolean => enoughRuns(values, threshold, 0.95) !== null

describe('pilots of 15 runs, a threshold of 5 %', () => {
  it('with a true CV of 10 %, “the first N below” calls 47 % of them stable, an upper bound none', () => {
    expect(shareOf(pilots(10_000, 15, 0.1), firstBelow)).toBeCloseTo(0.47, 1)
    expect(shareOf(pilots(10_000, 15, 0.1), values => firstBelow(values.slice(0, 2)))).toBeCloseTo(0.42, 1)
    expect(shareOf(pilots(1000, 15, 0.1), ours)).toBe(0)
  })

  it('with a true CV of 30 % it is 12 % of them, and again none', () => {
    expect(shareOf(pilots(10_000, 15, 0.3), firstBelow)).toBeCloseTo(0.12, 1)
    expect(shareOf(pilots(200, 15, 0.3), ours)).toBe(0)
  })

  it('with a CV exactly at the threshold, an upper bound is wrong no more often than its level says', () => {
    expect(shareOf(pilots(1000, 15, 0.05), ours)).toBeLessThan(0.04)
  })

  it('with a true CV of 2 % it finds almost all of them stable, and with 4 % once there are enough runs', () => {
    expect(shareOf(pilots(1000, 15, 0.02), ours)).toBeGreaterThan(0.97)
    expect(shareOf(pilots(300, 15, 0.04), ours)).toBeLessThan(0.4)
    expect(shareOf(pilots(100, 150, 0.04), ours)).toBeGreaterThan(0.9)
  })
})
