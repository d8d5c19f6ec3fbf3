import { describe, expect, it } from 'vitest'
import { normalDeviates } from '../../../src/analyze/calibrate/normal-deviates.ts'
import { samplesFrom } from '../../../src/analyze/calibrate/population.ts'
import { equivalenceOf } from '../../../src/analyze/compare/infer/equivalence.ts'
import { isSignificant } from '../../../src/analyze/compare/infer/infer.ts'
import { methodFor } from '../../../src/analyze/compare/method.ts'
import { counterRandom } from '../../../src/stats/index.ts'

const drawing = { seed: 1, resamples: 199, rng: 'assay' } as const
const asked = { level: 0.95, alternative: 'two-sided', drawing } as const
const random = counterRandom(21)
const z = normalDeviates(random)

/** Costs of independent runs: 7 of 10 are free, the others have one long tail. */
const cost = () => (random.next() < 0.7 ? 0 : Math.exp(z()))

/** The true difference is `more`. */
const groups = (n: number, m: number, more = 0) =>
  samplesFrom(
    { control: Array.from({ length: m }, cost), candidate: Array.from({ length: n }, () => cost() + more) },
    { isPaired: false, kind: 'numbers' },
  )

/** A share of experiments. */
const shareOf = (trials: number, isCounted: () => boolean): number =>
  Array.from({ length: trials }, isCounted).filter(Boolean).length / trials

describe('few units against many with one long tail', () => {
  it.each([
    [5, 50],
    [12, 90],
    [40, 6],
  ])('%i against %i rarely claim a false difference; t alone would, more than twice too often', (n, m) => {
    const trials = 500
    let byT = 0
    const byDefault = shareOf(trials, () => {
      const samples = groups(n, m)
      if (isSignificant(samples, 't', 0.05, asked)) byT++
      return isSignificant(samples, methodFor(samples), 0.05, asked)
    })
    expect(byDefault).toBeLessThan(0.06)
    expect(byT / trials).toBeGreaterThan(0.1)
  })

  it('do not pass a margin that they just exceed', () => {
    for (const more of [0.5, -0.5])
      expect(
        shareOf(120, () => {
          const samples = groups(8, 60, more)
          const at = { margin: 0.5, goal: 'maximize', alpha: 0.05, drawing, family: 1 } as const
          return equivalenceOf(samples, methodFor(samples), at)?.equivalent ?? false
        }),
      ).toBeLessThan(0.06)
  })
})
