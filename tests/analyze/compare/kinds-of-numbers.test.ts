import { describe, expect, it } from 'vitest'
import { readingOf } from '../../../src/analyze/reading.ts'
import { byUnitName } from '../../../src/analyze/units/unit-order.ts'
import { isAvailable } from '../../../src/stats/estimate.ts'
import { bootstrapInterval, numpyRandom, resampleDifference } from '../../../src/stats/index.ts'
import { ask, askAll } from '../ask.ts'
import { aRun, evidenceWith, scored, twoArms } from '../evidence.ts'

const zeros = Array.from({ length: 12 }, () => 0)

describe('whether a metric is yes or no', () => {
  it.each(['cost_usd', 'makespan_ms', 'output_tokens', 'val_loss'])(
    'is not inferred from values of %s that are all 0',
    name => {
      const { runs, ...rest } = twoArms(zeros, zeros)
      const evidence = { ...rest, runs: runs.map(run => ({ ...run, metrics: { [name]: 0 } })), metrics: [] }
      const found = ask(evidence, { reading: readingOf(evidence, { metric: name }) })
      expect(found).toMatchObject({ yes_no: false, estimate: 0 })
      expect(found.ci?.method).not.toBe('newcombe')
    },
  )

  it('is inferred from all runs, not from the two compared arms', () => {
    const arm = (name: string, value: (seed: number) => number) =>
      Array.from({ length: 12 }, (_, seed) => scored({ arm: name }, { seed }, value(seed)))
    const runs = [
      ...arm('a', seed => seed % 2),
      ...arm('b', seed => Number(seed % 3 > 0)),
      ...arm('c', seed => seed / 20),
    ]
    const evidence = evidenceWith(runs, { blocks: ['seed'] })
    expect(askAll(evidence).map(({ comparison }) => comparison.yes_no)).toEqual([false, false])
    const [first] = askAll({ ...evidence, runs: runs.slice(0, 24) })
    expect(first?.comparison.yes_no).toBe(true)
  })

  it('stays yes or no if every run succeeded', () => {
    const ones = zeros.map(() => 1)
    expect(ask(twoArms(ones, ones)).yes_no).toBe(true)
  })
})

describe('the spread between runs of a unit', () => {
  it.each([
    ['numbers', (task: number) => Math.sin(task * 7)],
    ['yes and no', (task: number) => task % 2],
  ])('of 15 tripled tasks is worth 15 runs: %s', (_, value) => {
    const runs = ['a', 'b'].flatMap(arm =>
      Array.from({ length: 45 }, (_, at) =>
        scored({ arm }, { task: at % 15 }, value(at % 15), { replicate: 1 + (at % 3) }),
      ),
    )
    const { spread, arms } = ask(evidenceWith(runs, { blocks: ['task'] }))
    expect(spread?.control).toMatchObject({ units: 15, runs: 45, within_sd: 0 })
    expect(spread?.control.effective_runs).toBeCloseTo(15, 9)
    expect(spread?.control.design_effect).toBeCloseTo(3, 9)
    const once = ask(evidenceWith(runs.slice(0, 15).concat(runs.slice(45, 60)), { blocks: ['task'] }))
    expect(arms.control.ci?.low).toBeCloseTo(once.arms.control.ci?.low ?? 0, 9)
  })

  /** Load makes a difference of 100; runs of the same task and load differ by 1. */
  const loaded = (replicates: number) =>
    evidenceWith(
      ['a', 'b'].flatMap(arm =>
        [0, 1].flatMap(load =>
          Array.from({ length: 8 * replicates }, (_, at) =>
            scored({ arm, load }, { task: at % 8 }, 100 * load + (at % 8) + (at >= 8 ? 1 : 0), {
              name: `${arm}${load}${at}`,
            }),
          ),
        ),
      ),
      { blocks: ['task'], factors: ['arm', 'load'] },
    )

  it('excludes the spread between levels of another factor', () => {
    const { spread } = ask(loaded(2))
    expect(spread?.apart_from).toEqual(['load'])
    expect(spread?.control.within_sd).toBeLessThan(1)
    expect(spread?.control.between_sd).toBeGreaterThan(1)
  })

  it('is unknown if runs of a unit differ in nothing else', () => {
    expect(ask(loaded(1)).spread).toBeNull()
  })
})

describe('the rows of a table', () => {
  it('keep their order, row 2 before row 10', () => {
    const names = [10, 2, 1, 20].map(row => JSON.stringify(['t.csv', `row ${row}`]))
    expect(names.toSorted(byUnitName).map(name => JSON.parse(name)[1])).toEqual(['row 1', 'row 2', 'row 10', 'row 20'])
    // As Python sorts identifiers.
    expect(['t10', 't2', '10', '9'].toSorted(byUnitName)).toEqual(['9', '10', 't10', 't2'])
  })

  it('are resampled in that order, so that NumPy’s draws are reproduced', () => {
    const values = {
      a: [3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7, 9.3, 2],
      b: [2, 7, 1, 8.5, 2.8, 1.8, 2.4, 8, 4.6, 4, 5, 9],
    }
    const rows = Object.entries(values).flatMap(([arm, list], of) =>
      list.map((score, at) => aRun({ name: `row ${12 * of + at + 1}`, params: { arm }, metrics: { score } })),
    )
    // Read backwards, as text they would begin with row 1, row 10, row 11.
    const found = ask(evidenceWith(rows.toReversed(), { levels: { arm: ['a', 'b'] } }), {
      method: 'percentile',
      drawing: { seed: 3, resamples: 500, rng: 'numpy' },
    })
    const drawn = resampleDifference(values.b, values.a, { random: numpyRandom(3), resamples: 500 })
    const interval = isAvailable(drawn) ? bootstrapInterval(drawn, { method: 'percentile', level: 0.95 }) : drawn
    if (!isAvailable(interval)) throw new Error(interval.unavailable)
    expect(found.ci).toMatchObject({ low: interval.low, high: interval.high })
  })

  it('are an error if they have text or NaN in place of numbers; blank cells are missing', () => {
    const rows = (problem: string) =>
      ['a', 'b'].flatMap(arm =>
        Array.from({ length: 6 }, (_, at) =>
          aRun({
            name: `${arm} ${at}`,
            params: { arm },
            columns: {},
            ...(arm === 'b' && at === 2 ? { problems: { score: problem } } : { metrics: { score: at } }),
          }),
        ),
      )
    const text = evidenceWith(rows('not a number: "12 s"'))
    expect(() => ask(text)).toThrow('b 2 has no value: not a number: "12 s"')
    expect(ask(text, { missing: 'omit' }).n).toMatchObject({ control: 6, candidate: 5 })
    expect(ask(evidenceWith(rows('blank'))).n).toMatchObject({ candidate: 5 })
  })
})
