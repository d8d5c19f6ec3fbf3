import { expect, it } from 'vitest'
import { normalDeviates } from '../../../../src/analyze/calibrate/normal-deviates.ts'
import { samplesFrom } from '../../../../src/analyze/calibrate/population.ts'
import { detectableDifference, detectableMean } from '../../../../src/analyze/compare/infer/detectable.ts'
import { infer } from '../../../../src/analyze/compare/infer/infer.ts'
import { isAvailable } from '../../../../src/stats/estimate.ts'
import { chiSquaredQuantile, counterRandom, defaultTest, steadyWelchTest } from '../../../../src/stats/index.ts'
import { ask } from '../../ask.ts'
import { evidenceWith, scored } from '../../evidence.ts'

/** Groups with unequal spreads: their degrees of freedom are no whole number. */
it.each([5, 9, 14, 40])('%i runs against 12 find the stated difference with the stated power', runs => {
  const random = counterRandom(runs)
  const drawn = (n: number, spread: number) => Array.from({ length: n }, () => spread * random.next())
  const [control, candidate] = [drawn(runs, 1), drawn(12, 3)]
  const welch = steadyWelchTest(candidate, control)
  if (!('df' in welch)) throw new Error('these groups have a spread')
  const { df, standardError } = welch
  expect(df % 1).not.toBe(0)
  const test = defaultTest([12, runs], {
    alpha: 0.05,
    alternative: 'two-sided',
    fewUnits: Number.POSITIVE_INFINITY,
    df,
  })
  const reach = test.reach * standardError
  const { detectable: named } = detectableMean(
    {
      control,
      candidate,
      pairedBy: null,
      unit: 'run',
      keys: [],
      isCounted: false,
      dropped: { control: [], candidate: [], unmatched: [] },
    },
    't',
    { level: 0.95, low: -reach, high: reach },
    { alpha: 0.05, alternative: 'two-sided', largest: Number.POSITIVE_INFINITY },
  )
  const shift = (named?.difference ?? Number.NaN) / (standardError * Math.sqrt(df / chiSquaredQuantile(0.5, df)))
  expect(Math.abs(test.power(shift) - 0.8)).toBeLessThan(0.001)
})

it('shares over several runs go by the power of the test of their means, and can’t differ by more than all', () => {
  const rates = (shift: number) => Array.from({ length: 12 }, (_, task) => (((task + shift) * 7) % 6) / 5)
  const runs = [rates(0), rates(1)].flatMap((shares, arm) =>
    shares.flatMap((share, task) =>
      [0, 1, 2, 3, 4].map(run => scored({ arm: 'ab'.charAt(arm) }, { task, run }, Number(run < 5 * share))),
    ),
  )
  const found = ask(evidenceWith(runs, { blocks: ['task', 'run'] }))
  expect(found).toMatchObject({ yes_no: true, detectable: { by: 'power' } })
  const few = runs.filter(({ block }) => Number(block.task) < 3)
  const ofFew = ask(evidenceWith(few, { blocks: ['task', 'run'] }))
  expect(ofFew).toMatchObject({ yes_no: true, detectable: null, undetectable: true })
  expect(ofFew.sentence).toContain('no possible difference would have been found 80% of the time')
})

it('says nothing about means without any spread', () => {
  const same = [0, 1].flatMap(arm =>
    [0, 1, 2, 3].flatMap(task => [0, 1].map(run => scored({ arm: 'ab'.charAt(arm) }, { task, run }, run))),
  )
  const found = ask(evidenceWith(same, { blocks: ['task', 'run'] }))
  expect(found).toMatchObject({ yes_no: true, detectable: null, undetectable: false })
  const values = samplesFrom({ control: [0, 0, 0], candidate: [0.5, 0.5, 0.5] }, { isPaired: true, kind: 'numbers' })
  const wanted = { alpha: 0.05, alternative: 'two-sided', largest: 1 } as const
  expect(detectableMean(values, 't', { level: 0.95, low: 0.5, high: 0.5 }, wanted)).toEqual({
    detectable: null,
    undetectable: false,
  })
})

it('a difference that goes by the width of an interval of few units is found about as often as it says', () => {
  const z = normalDeviates(counterRandom(5))
  const trials = 400
  let found = 0
  for (let trial = 0; trial < trials; trial++) {
    const drawing = { seed: trial, resamples: 199, rng: 'assay' } as const
    const asked = { level: 0.95, alternative: 'two-sided', drawing } as const
    const draw = (shift: number) => ({
      ...samplesFrom(
        { control: Array.from({ length: 8 }, z), candidate: Array.from({ length: 8 }, () => shift + z()) },
        { isPaired: false, kind: 'numbers' },
      ),
      across: 'median' as const,
    })
    const { interval } = infer(draw(0), 'percentile', asked)
    if (!isAvailable(interval)) throw new Error('these values have a spread')
    const claim = detectableDifference(interval, 0, { largest: Number.POSITIVE_INFINITY, df: 14 })
    const { p } = infer(draw(claim?.difference ?? 0), 'percentile', asked)
    if (isAvailable(p) && p <= 0.05) found++
  }
  expect(found / trials).toBeGreaterThan(0.7)
})
