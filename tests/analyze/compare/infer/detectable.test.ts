import { expect, it } from 'vitest'
import { detectableMean } from '../../../../src/analyze/compare/infer/detectable.ts'
import { chiSquaredQuantile, counterRandom, defaultTest, steadyWelchTest } from '../../../../src/stats/index.ts'

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
  const named = detectableMean(
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
    { alpha: 0.05, alternative: 'two-sided' },
  )
  const shift = (named?.difference ?? Number.NaN) / (standardError * Math.sqrt(df / chiSquaredQuantile(0.5, df)))
  expect(Math.abs(test.power(shift) - 0.8)).toBeLessThan(0.001)
})
