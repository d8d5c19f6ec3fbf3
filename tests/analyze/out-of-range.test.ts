import { describe, expect, it } from 'vitest'
import { analyzeBatch } from '../../src/analyze/batch/analyze-batch.ts'
import { methods } from '../../src/analyze/choices.ts'
import { effectsOf } from '../../src/analyze/effects/effects.ts'
import { pilotModel } from '../../src/analyze/power/pilot.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import { varianceReadings, variances } from '../../src/analyze/variance/variance.ts'
import { mean, variance } from '../../src/stats/describe/moments.ts'
import { ask, askAll } from './ask.ts'
import { twoArms } from './evidence.ts'

const drawing = { seed: 1, resamples: 500, rng: 'assay' } as const
const around = (power: number, shift: number) =>
  Array.from({ length: 9 }, (_, at) => Number(`${1 + shift + 0.1 * Math.sin(7 * at + shift)}e${power}`))
const evidence = (power: number) => twoArms(around(power, 0), around(power, 0.3))

const cases = [
  ['1e300', 300, 'values of 1e150 and more have no squares: take a larger unit'],
  ['1e160', 160, 'values of 1e150 and more have no squares: take a larger unit'],
  ['1e-160', -160, 'values below 1e-140 have no squares: take a smaller unit'],
  ['1e-300', -300, 'values below 1e-140 have no squares: take a smaller unit'],
] as const

describe.each(cases)('values near %s give the right reason', (_, power, reason) => {
  it.each(methods.filter(method => method !== 'newcombe' && method !== 'score'))('compare by %s', method => {
    for (const isPaired of [true, false])
      expect(ask(evidence(power), { method, isPaired, drawing })).toMatchObject({
        ci: null,
        p: null,
        reason,
        verdict: 'inconclusive',
        arms: { control: { ci: null, sd: null } },
      })
  })

  it('variance, analyze, effects and power', () => {
    const both = evidence(power)
    const readings = varianceReadings(both, {})
    const [first] = variances(both, { readings, threshold: 0.05, level: 0.95, drawing })
    expect(first?.statistics[0]).toMatchObject({ cv: null, ci: null, sd: null, enough: null, reason })
    expect(first?.sentence).toContain(reason)
    const analysed = analyzeBatch(both, { drawing })
    expect(analysed.variations['1']?.metrics.score).toMatchObject({ ci: null, stdev: null, reason })
    expect(analysed.patterns.ranking.reason).toContain(reason)
    const question = {
      reading: readingOf(both, {}),
      isPaired: true,
      missing: 'failed',
      method: 'auto',
      alpha: 0.05,
    } as const
    expect(effectsOf(both, { ...question, alternative: 'two-sided', correction: 'holm', drawing }).shares).toEqual({
      reason,
    })
    const aim = { alpha: 0.05, power: 0.8, alternative: 'two-sided' } as const
    for (const isPaired of [true, false]) {
      const [compared] = askAll(both, { isPaired })
      if (compared === undefined) throw new Error('nothing was compared')
      const model = pilotModel(compared.samples, aim, { method: 'auto', trials: 10, resamples: 49, seed: 1 })
      expect(model).toEqual({ unavailable: power > 0 ? 'too_large' : 'too_small' })
    }
  })
})

it('values near the largest number give neither NaN nor infinity', () => {
  const found = ask(twoArms(around(308, 0), around(308, 0.3)), { drawing })
  expect(JSON.stringify(found)).not.toMatch(/NaN|Infinity/)
  expect(found).toMatchObject({ estimate: null, effect: { ratio: null } })
})

it('reports infinite values, and does not call zeros small', () => {
  expect(mean([1, Number.POSITIVE_INFINITY])).toEqual({ unavailable: 'infinite_value' })
  expect(mean([1e200, 1])).toEqual({ unavailable: 'too_large' })
  expect(variance([1e-200, 0])).toEqual({ unavailable: 'too_small' })
  expect(mean([0, 0])).toBe(0)
  expect(variance([1e-100, 3e-100])).toBeCloseTo(2e-200, 210)
})
