import { describe, expect, it } from 'vitest'
import { armOf } from '../../src/analyze/arms.ts'
import type { Missing } from '../../src/analyze/choices.ts'
import { readingOf } from '../../src/analyze/reading.ts'
import { samplesOf } from '../../src/analyze/samples.ts'
import { rolloutOf, scoresOf } from '../../src/analyze/scores/scores.ts'
import type { Evidence } from '../../src/define/observation.ts'
import { scoreSentences } from '../../src/report/findings/wording/score-words.ts'
import { ask } from './ask.ts'
import { aRun, evidenceWith, scored, twoArms } from './evidence.ts'

const samples = (evidence: Evidence, wish: { isPaired?: boolean; missing?: Missing } = {}) =>
  samplesOf(
    evidence,
    { control: armOf(evidence, { arm: 'a' }), candidate: armOf(evidence, { arm: 'b' }) },
    readingOf(evidence, { metric: 'score' }),
    { isPaired: true, missing: 'failed', ...wish },
  )

describe('pairing of runs', () => {
  it('pairs by block, in any order of runs', () => {
    const evidence = twoArms([1, 2, 3], [11, 12, 13])
    const shuffled = { ...evidence, runs: evidence.runs.toReversed() }
    expect(samples(shuffled)).toEqual(samples(evidence))
    expect(samples(shuffled)).toMatchObject({
      control: [1, 2, 3],
      candidate: [11, 12, 13],
      keys: ['1', '2', '3'],
      pairedBy: ['seed'],
      unit: 'seed',
      left_out: 0,
    })
  })

  it('sorts seeds as numbers: 2 comes before 10', () => {
    const values = Array.from({ length: 11 }, (_, index) => index)
    expect(samples(twoArms(values, values)).control).toEqual(values)
  })

  it('averages replicates first: three of them are one value', () => {
    const runs = [
      scored({ arm: 'a' }, { seed: 1 }, 1, { replicate: 1 }),
      scored({ arm: 'a' }, { seed: 1 }, 2, { replicate: 2 }),
      scored({ arm: 'a' }, { seed: 1 }, 6, { replicate: 3 }),
      scored({ arm: 'a' }, { seed: 2 }, 5),
      scored({ arm: 'b' }, { seed: 1 }, 10),
      scored({ arm: 'b' }, { seed: 2 }, 20),
    ]
    expect(samples(evidenceWith(runs, { blocks: ['seed'] }))).toMatchObject({ control: [3, 5], candidate: [10, 20] })
  })

  it('counts tasks, not seeds of tasks, where both are blocks', () => {
    const runs = ['a', 'b'].flatMap(arm =>
      ['t1', 't2'].flatMap(task =>
        [1, 2].map(seed => scored({ arm }, { task, seed }, (task === 't1' ? 10 : 20) + seed + (arm === 'b' ? 100 : 0))),
      ),
    )
    expect(samples(evidenceWith(runs, { blocks: ['task', 'seed'] }))).toMatchObject({
      control: [11.5, 21.5],
      candidate: [111.5, 121.5],
      unit: 'task',
      pairedBy: ['task', 'seed'],
    })
  })

  it('uses only seeds that both sides have in a task', () => {
    const runs = [
      scored({ arm: 'a' }, { task: 't1', seed: 1 }, 1),
      scored({ arm: 'a' }, { task: 't1', seed: 2 }, 100),
      scored({ arm: 'a' }, { task: 't2', seed: 1 }, 3),
      scored({ arm: 'b' }, { task: 't1', seed: 1 }, 2),
      scored({ arm: 'b' }, { task: 't2', seed: 1 }, 4),
    ]
    expect(samples(evidenceWith(runs, { blocks: ['task', 'seed'] }))).toMatchObject({
      control: [1, 3],
      candidate: [2, 4],
      left_out: 1,
      dropped: { unmatched: ['task=t1 seed=2'] },
    })
  })

  it('compares seeds if there is only one task', () => {
    const runs = ['a', 'b'].flatMap(arm => [1, 2, 3].map(seed => scored({ arm }, { task: 't1', seed }, seed)))
    expect(samples(evidenceWith(runs, { blocks: ['task', 'seed'] }))).toMatchObject({
      unit: 'seed',
      control: [1, 2, 3],
    })
  })

  it('compares repetitions if there is only one task, as scores by task do', () => {
    const runs = ['a', 'b'].flatMap(arm =>
      [0, 0, 1].map((value, at) =>
        scored({ arm }, { task: 't' }, arm === 'a' ? 0 : value, { name: `${arm}${at}`, replicate: at + 1 }),
      ),
    )
    const { unit, n, arms, warnings } = ask(evidenceWith(runs, { blocks: ['task'] }))
    expect({ unit, n }).toMatchObject({ unit: 'run', n: { control: 3, candidate: 3, pairs: null } })
    expect(warnings).toContain('there is only one task: the result holds for it alone')
    const [scores] = scoresOf(runs.filter(({ params }) => params.arm === 'a').map(run => rolloutOf(run, [])))
    expect(arms.control.ci).toEqual(scores?.ci)
    expect(scoreSentences(scores === undefined ? [] : [scores], 0.95)[0]).toContain('by the rollouts of the one task')
    // The unit of pass@k is a task.
    const passed = ask(evidenceWith(runs, { blocks: ['task'] }), { statistic: { kind: 'pass@', k: 2 } })
    expect(passed.arms.candidate).toMatchObject({ n: 1, value: 2 / 3 })
  })

  it('averages over another factor, level against the same level', () => {
    const runs = ['a', 'b'].flatMap(arm =>
      [0.7, 0.9].flatMap(load =>
        [1, 2].map(seed => scored({ arm, load }, { seed }, (arm === 'b' ? 1000 : 0) + load * 100 + seed)),
      ),
    )
    const evidence = evidenceWith(runs, { blocks: ['seed'], factors: ['arm', 'load'] })
    expect(samples(evidence)).toMatchObject({ control: [81, 82], candidate: [1081, 1082], pairedBy: ['seed', 'load'] })
    const withoutOne = { ...evidence, runs: runs.filter(run => !(run.name === 'b-0.9-2')) }
    expect(samples(withoutOne)).toMatchObject({
      control: [81, 72],
      candidate: [1081, 1072],
      dropped: { unmatched: ['seed=2 load=0.9'] },
    })
  })

  it('never pairs different levels, even if an arm lacks a level', () => {
    const runs = [
      ...[1, 2].map(seed => scored({ arm: 'a', load: 0.7 }, { seed }, 1)),
      ...[1, 2].map(seed => scored({ arm: 'a', load: 0.9 }, { seed }, 100)),
      ...[1, 2].map(seed => scored({ arm: 'b', load: 0.7 }, { seed }, 2)),
    ]
    expect(samples(evidenceWith(runs, { blocks: ['seed'], factors: ['arm', 'load'] }))).toMatchObject({
      control: [1, 1],
      candidate: [2, 2],
      dropped: { unmatched: ['seed=1 load=0.9', 'seed=2 load=0.9'] },
    })
  })

  it('reports runs without a partner', () => {
    const evidence = twoArms([1, 2, 3], [4, 5])
    expect(samples(evidence)).toMatchObject({
      control: [1, 2],
      candidate: [4, 5],
      left_out: 1,
      dropped: { unmatched: ['3'] },
    })
  })
})

describe('arms that are not paired', () => {
  it('on request', () => {
    expect(samples(twoArms([1, 2, 3], [4, 5]), { isPaired: false })).toMatchObject({
      control: [1, 2, 3],
      candidate: [4, 5],
      pairedBy: null,
      left_out: 0,
    })
  })

  it('if no seed is in both', () => {
    const runs = [scored({ arm: 'a' }, { seed: 1 }, 1), scored({ arm: 'b' }, { seed: 2 }, 2)]
    expect(samples(evidenceWith(runs, { blocks: ['seed'] })).pairedBy).toBeNull()
  })

  it('if there is no block: each run counts, also those with the same name', () => {
    const runs = [1, 2, 3].flatMap(value => [
      aRun({ name: `r${value}`, params: { arm: 'a' }, metrics: { score: value } }),
      aRun({ name: `r${value}`, source: 'other', params: { arm: 'b' }, metrics: { score: value + 10 } }),
    ])
    expect(samples(evidenceWith(runs))).toMatchObject({ control: [1, 2, 3], candidate: [11, 12, 13], unit: 'run' })
  })
})

describe('runs without a value', () => {
  const evidence = twoArms([1, null, 3], [4, 5, 6])

  it('are left out and counted', () => {
    expect(samples(evidence)).toMatchObject({
      control: [1, 3],
      candidate: [4, 6],
      left_out: 1,
      dropped: { control: [{ run: 'a-2', reason: 'failed' }], candidate: [], unmatched: ['2'] },
    })
  })

  it('count as 0 on request, and so does a side that was never run', () => {
    expect(samples(evidence, { missing: 'zero' })).toMatchObject({ control: [1, 0, 3], left_out: 0 })
    expect(samples(twoArms([1, 2, 3], [4, 5]), { missing: 'zero' })).toMatchObject({
      candidate: [4, 5, 0],
      dropped: { unmatched: ['3'] },
    })
  })

  it('are refused on request', () => {
    expect(() => samples(evidence, { missing: 'refuse' })).toThrow('a-2 has no value: failed')
  })

  it('a value that is not a number is an error unless it may be left out', () => {
    const broken = twoArms([1, Number.NaN, 3], [4, 5, 6])
    expect(() => samples(broken)).toThrow('a-2 has no value: the value is NaN')
    expect(() => samples(broken, { missing: 'refuse' })).toThrow('NaN')
    expect(samples(broken, { missing: 'omit' })).toMatchObject({ control: [1, 3], left_out: 1 })
    expect(samples(broken, { missing: 'zero' })).toMatchObject({ control: [1, 0, 3] })
    expect(() => samples(twoArms([1, Infinity], [1, 2]))).toThrow('the value is Infinity')
  })

  it('on both sides count as one pair left out', () => {
    expect(samples(twoArms([1, null, 3], [4, null, 6]))).toMatchObject({
      control: [1, 3],
      left_out: 1,
      dropped: { unmatched: [] },
    })
  })
})

describe('bounds on missing values', () => {
  it('bounds the difference of yes or no', () => {
    expect(samples(twoArms([1, 1, 0, null], [1, 0, 0, 1])).bounds).toEqual({
      low: 0.5 - 0.75,
      high: 0.5 - 0.5,
      units: 4,
    })
    expect(samples(twoArms([1, 1, 0, 0], [1, 0, null])).bounds).toEqual({ low: 0.25 - 0.5, high: 0.75 - 0.5, units: 4 })
  })

  it('cover only executed runs if unpaired', () => {
    expect(samples(twoArms([1, 1, 0, 0], [1, null]), { isPaired: false }).bounds).toEqual({
      low: 0,
      high: 0.5,
      units: 4,
    })
  })

  it('are not given if nothing is missing or the metric has no range', () => {
    expect(samples(twoArms([1, 0], [1, 1])).bounds).toBeNull()
    expect(samples(twoArms([1, 0.5], [1, null])).bounds).toBeNull()
  })
})
