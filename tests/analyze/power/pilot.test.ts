import { describe, expect, it } from 'vitest'
import { samplesFrom } from '../../../src/analyze/calibrate/population.ts'
import { answerPower } from '../../../src/analyze/power/answer.ts'
import { meansModel } from '../../../src/analyze/power/means.ts'
import type { Aim, PowerModel } from '../../../src/analyze/power/model.ts'
import { pilotModel, spreadOf } from '../../../src/analyze/power/pilot.ts'

const aim: Aim = { alpha: 0.05, power: 0.8, alternative: 'two-sided' }
const options = { method: 't', trials: 500, resamples: 199, seed: 1 } as const

const kindOf = (...arms: readonly (readonly number[])[]) =>
  arms.flat().every(value => value === 0 || value === 1) ? ('yes-no' as const) : ('numbers' as const)

function modelOf(control: readonly number[], candidate: readonly number[], isPaired = true): PowerModel {
  const model = pilotModel(
    samplesFrom({ control, candidate }, { isPaired, kind: kindOf(control, candidate) }),
    aim,
    options,
  )
  if ('unavailable' in model) throw new Error(model.unavailable)
  return model
}

const pairs = (values: readonly number[]) =>
  samplesFrom({ control: values.map(() => 0), candidate: values }, { isPaired: true, kind: 'numbers' })

/** Differences with mean 0.3 and sd 1.06, evenly spread as normal quantiles are. */
const differences = [-1.4, -0.8, -0.35, 0, 0.3, 0.6, 0.95, 1.4, 2]
const zeros = differences.map(() => 0)

describe('numbers', () => {
  const model = modelOf(zeros, differences)

  it('needs about as many runs as the formula if the pilot is well-behaved', () => {
    const n = Number(model.runsFor(0.8))
    expect(n).toBeGreaterThan(12)
    expect(n).toBeLessThan(21)
    expect(Number(model.powerAt(n, 0.8))).toBeGreaterThanOrEqual(0.8)
  })

  it('gives the range that the pilot leaves possible', () => {
    const { n, range } = answerPower(model, { effect: 0.8 }, aim)
    expect(range?.low).toBeLessThan(n ?? 0)
    expect(range?.high).toBeGreaterThan(2 * (n ?? 0))
  })

  it('gives the same answer again', () => {
    expect(answerPower(modelOf(zeros, differences), { effect: 0.8 }, aim)).toEqual(
      answerPower(model, { effect: 0.8 }, aim),
    )
  })

  it('takes the shape of the data into account', () => {
    // Most tasks gain a little, one loses much: a shift of the mean is hard to see.
    const skewed = [0.1, 0.11, 0.12, 0.1, 0.09, 0.1, 0.13, 0.1, 0.11, -2]
    const shaped = modelOf(
      skewed.map(() => 0),
      skewed,
    )
    const { sd } = spreadOf(pairs(skewed)) as { sd: number }
    const byFormula = meansModel({ isPaired: true, sd, ratio: 1 }, aim).effectFor(10)
    expect(shaped.powerAt(10, Number(byFormula))).toBeLessThan(0.75)
  })

  it('finds the stated difference, by the same simulation', () => {
    for (const n of [8, 12, 30]) {
      const effect = Number(model.effectFor(n))
      expect(Number(model.powerAt(n, effect))).toBeGreaterThanOrEqual(0.8)
      expect(Number(model.powerAt(n, 0.98 * effect))).toBeLessThan(0.8)
      expect(model.effectFor(n, -1)).toBeLessThan(0)
    }
  })

  it('shows the power of each number for one difference, by one method', () => {
    const { effect, curve, notes } = answerPower(model, { runs: 12 }, aim)
    expect(curve.every(({ detectable }) => detectable === null)).toBe(true)
    expect(curve.find(({ n }) => n === 12)?.power).toBe(model.powerAt(12, Number(effect)))
    expect(notes.at(-1)).toContain('not in the table')
  })

  it('marks numbers below its own size, or below seven, as optimistic', () => {
    expect(answerPower(model, { effect: 0.8, sizes: [5, 40] }, aim).notes[0]).toContain(
      'fewer than 9 pairs is optimistic',
    )
    expect(answerPower(model, { effect: 0.8, sizes: [9, 40] }, aim).notes.join()).not.toContain('optimistic')
    const small = modelOf(zeros.slice(0, 4), differences.slice(0, 4))
    expect(answerPower(small, { effect: 0.8, runs: 6 }, aim).notes[0]).toContain('fewer than 7 pairs is optimistic')
  })

  it('compares two groups as groups', () => {
    const unpaired = modelOf(
      zeros.map((_, at) => at / 3),
      differences.map((value, at) => value + at / 3),
      false,
    )
    expect(unpaired).toMatchObject({ design: 'two groups', units: 'units in each arm' })
    expect(Number(unpaired.runsFor(0.8))).toBeGreaterThan(Number(model.runsFor(0.8)))
  })
})

describe('yes or no', () => {
  it('takes the discordant share from pairs', () => {
    const control = [1, 1, 1, 0, 0, 0, 1, 0, 1, 0]
    const candidate = [1, 1, 0, 1, 0, 0, 1, 1, 1, 0]
    const model = modelOf(control, candidate)
    expect(model.data).toBe('paired yes or no')
    expect(model.assumptions[0]).toContain('3 of 10 tasks')
    const { n, range } = answerPower(model, { effect: 0.2 }, aim)
    expect(range?.low).toBeLessThanOrEqual(n ?? 0)
    expect(range?.high).toBeGreaterThan(n ?? 0)
  })

  it('starts from the rate of the control in two groups', () => {
    const model = modelOf([1, 1, 0, 0, 1, 0, 1, 0], [1, 1, 1, 0], false)
    expect(model.data).toBe('proportions')
    expect(model.assumptions[0]).toContain('50%')
    const { n, range } = answerPower(model, { effect: 0.2 }, aim)
    expect(range?.high).toBeGreaterThanOrEqual(n ?? 0)
  })
})

describe('a pilot without information', () => {
  const reason = (control: readonly number[], candidate: readonly number[], isPaired = true) =>
    pilotModel(samplesFrom({ control, candidate }, { isPaired, kind: kindOf(control, candidate) }), aim, options)

  it('names the reason', () => {
    expect(reason([1, 2, 3], [2, 3, 4])).toEqual({ unavailable: 'zero_variance' })
    expect(reason([0, 1, 1], [0, 1, 1])).toEqual({ unavailable: 'no_discordant_pairs' })
    expect(reason([2, 2], [5, 5], false)).toEqual({ unavailable: 'zero_variance' })
    expect(reason([2], [5])).toEqual({ unavailable: 'too_few_values' })
  })
})
