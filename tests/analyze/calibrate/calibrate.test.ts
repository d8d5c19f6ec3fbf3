import { describe, expect, it } from 'vitest'
import {
  type CalibrationCell,
  calibrate,
  coverageMark,
  proportionCoverage,
  typeIMark,
} from '../../../src/analyze/calibrate/calibrate.ts'
import { populations } from '../../../src/analyze/calibrate/populations.ts'
import { factorsOf } from '../../../src/analyze/units/weighting.ts'
import { meanOf, variance } from '../../../src/stats/describe/moments.ts'
import { counterRandom } from '../../../src/stats/random/counter-random.ts'
import { expectShare, expectWithin, given } from '../../stats/close.ts'

const options = { seed: 1, trials: 400, sizes: [5], resamples: 99, alpha: 0.05 }
const cellsOf = (more: Partial<Parameters<typeof calibrate>[0]>): readonly CalibrationCell[] =>
  [...calibrate({ ...options, ...more })].flat()
const cellOf = (cells: readonly CalibrationCell[], procedure: string) => {
  const cell = cells.find(one => one.procedure === procedure)
  if (cell === undefined) throw new Error(`no ${procedure}`)
  return cell
}

describe('every kind of data', () => {
  it.each(populations)('$name has the stated difference', ({ draw, difference }) => {
    for (const hasDifference of [false, true]) {
      const drawn = draw(40_000, hasDifference, counterRandom(3))
      // Where units do not all count alike, the plain mean of these is the weighted one.
      const factors = drawn.weighting && factorsOf(drawn.weighting.control, drawn.weighting.shares)
      const [control, candidate] = [drawn.control, drawn.candidate].map(values =>
        values.map((value, at) => value * (factors?.[at] ?? 1)),
      ) as [number[], number[]]
      const truth = hasDifference ? difference : 0
      // As if the arms were unrelated: where they are paired, the mean difference is known even better.
      const error = Math.sqrt((given(variance(candidate)) + given(variance(control))) / 40_000)
      expectWithin(meanOf(candidate) - meanOf(control), truth, error)
      expect(Math.abs(meanOf(candidate) - meanOf(control) - truth)).toBeLessThan(0.05)
      expect(Math.abs(difference)).toBeGreaterThan(4 * error)
    }
  })

  it('uses the mean of rollouts as unit', () => {
    const tasks = populations.find(({ name }) => name.startsWith('tasks'))
    const { control, rollouts } = tasks?.draw(10, true, counterRandom(1)) ?? { control: [], rollouts: undefined }
    expect(meanOf(rollouts?.control ?? [])).toBeCloseTo(meanOf(control), 12)
  })
})

describe('what is counted', () => {
  const normal = cellsOf({ data: ['normal, paired'], trials: 1000 })

  it('finds the t interval right on normal data and the percentile interval too short', () => {
    const t = cellOf(
      normal.filter(({ data }) => data === 'normal, paired'),
      't',
    )
    expectShare(t.coverage?.share ?? 0, 0.95, 1000)
    expect(coverageMark(t.coverage ?? { share: 0, error: 0 }, 0.05)).toBe('fine')
    const percentile = cellOf(normal, 'percentile')
    expect(coverageMark(percentile.coverage ?? { share: 1, error: 0 }, 0.05)).toBe('too bold')
    expect(typeIMark(percentile.typeI, 0.05)).toBe('too bold')
  })

  it('finds that rollouts counted as tasks claim too much', () => {
    const cells = cellsOf({ data: ['tasks'], sizes: [10] })
    expect(typeIMark(cellOf(cells, 'every rollout a unit').typeI, 0.05)).toBe('too bold')
    expect(typeIMark(cellOf(cells, 't').typeI, 0.05)).toBe('fine')
  })

  it('reports missing intervals: five pairs have no 95% permutation interval', () => {
    expect(cellOf(normal, 'permutation')).toMatchObject({ coverage: null, unanswered: 1, typeI: { share: 0 } })
  })

  it('uses the method that compare would choose', () => {
    const byDefault = cellOf(normal, 'default')
    const [chosen = ''] = byDefault.chosen
    const { coverage, typeI, power } = cellOf(normal, chosen)
    expect(byDefault).toMatchObject({ coverage, typeI, power })
  })
})

it('the same seed gives the same numbers, and another seed others', () => {
  const few = { data: ['yes or no at 0.5, paired'], trials: 100 }
  expect(cellsOf(few)).toEqual(cellsOf(few))
  expect(cellsOf({ ...few, seed: 2 })).not.toEqual(cellsOf(few))
})

it('computes a part of the table exactly as in the whole table', () => {
  const few = { trials: 6, resamples: 49 }
  const whole = cellsOf({ ...few, data: ['normal, paired', 'normal, two groups'], sizes: [5, 10] })
  const part = cellsOf({ ...few, data: ['normal, two groups'], sizes: [10] })
  expect(part.filter(({ data }) => data === 'normal, two groups')).toEqual(
    whole.filter(({ data, n }) => data === 'normal, two groups' && n === 10),
  )
})

it('is pinned: these numbers come from this seed', () => {
  const cells = cellsOf({ data: ['bimodal, two groups'], trials: 200 })
  expect(
    cells.map(({ procedure, coverage, typeI, power }) => [procedure, coverage?.share, typeI.share, power.share]),
  ).toMatchInlineSnapshot(`
    [
      [
        "default",
        0.915,
        0.04,
        0.1,
      ],
      [
        "wider",
        0.935,
        0,
        0.005,
      ],
      [
        "t",
        0.915,
        0.04,
        0.1,
      ],
      [
        "studentized",
        0.905,
        0,
        0.015,
      ],
      [
        "percentile",
        0.815,
        0.11,
        0.265,
      ],
      [
        "basic",
        0.815,
        0.11,
        0.265,
      ],
      [
        "bca",
        0.83,
        0.11,
        0.265,
      ],
      [
        "permutation",
        0.87,
        0.045,
        0.16,
      ],
    ]
  `)
})

it('the coverage of one proportion is exact: Clopper-Pearson never falls below its level', () => {
  const all = proportionCoverage([0.01, 0.05, 0.3, 0.5, 0.95], [3, 5, 20, 50], 0.95)
  const exact = all.filter(({ method }) => method === 'clopper-pearson')
  expect(Math.min(...exact.map(({ coverage }) => coverage))).toBeGreaterThanOrEqual(0.95)
  // Agresti & Coull 1998: 1 of 3 at a rate of 0.05.
  expect(all.find(({ method, rate, n }) => method === 'wilson' && rate === 0.05 && n === 3)?.coverage).toBeCloseTo(
    0.857375,
    9,
  )
})
