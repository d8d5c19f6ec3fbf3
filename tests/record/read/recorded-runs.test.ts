import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addNote, addTag } from '../../../src/record/journal/experiment-row.ts'
import { Journal } from '../../../src/record/journal/journal.ts'
import { journalFile } from '../../../src/record/places.ts'
import { findRun, observationsSince, recordedRuns, recordNamed } from '../../../src/record/read/observations.ts'
import type { NextState, RunHistory } from '../../../src/record/runs/settle.ts'
import { assay, folderWith } from '../../support/assay.ts'
import { claim, finished, planned, settle } from '../support.ts'

it('can leave out completed runs, to find failures without reading everything', async () => {
  const cwd = folderWith({
    'experiment.yaml': `
name: some-fail
target: { kind: function, module: work.mjs }
factors: { x: 1..6 }
`,
    'work.mjs': `export default ({ x }) => {
  if (x % 3 === 0) throw new RangeError('too large')
  return { score: x }
}
`,
  })
  await assay(['run', '-q'], { cwd })
  const journal = Journal.openExisting(journalFile(join(cwd, 'results/some-fail')))
  try {
    const all = [...recordedRuns(journal)]
    const left = [...recordedRuns(journal, { notCompleted: true })]
    expect(all).toHaveLength(6)
    expect(left.map(({ params, state }) => [params.x, state])).toEqual([
      [3, 'failed'],
      [6, 'failed'],
    ])
  } finally {
    journal.close()
  }
})

describe('the record of a run', () => {
  function journalWithRetries() {
    const { journal, workerId } = planned('a', 'b')
    const ready = (history: RunHistory): NextState => ({ ...finished(history), state: 'ready' })
    settle(journal, claim(journal, workerId).token, 'failed', {
      outcome: { kind: 'failed', message: 'not yet' },
      cost_usd: 0.25,
      decide: ready,
    })
    const { token } = claim(journal, workerId)
    settle(journal, token, 'completed', {
      cost_usd: 0.5,
      metrics: [
        { metric: 'score', value: 1 },
        { metric: 'loss', problem: 'no file' },
      ],
      series: [{ metric: 'score', steps: [1, 2], values: [0, 1] }],
      place: 'runs/a',
      outputs: ['out.txt'],
    })
    settle(journal, claim(journal, workerId).token, 'completed', { cost_usd: 0.125, cost_assumed: true })
    addTag(journal, findRun(journal, 'a').id, 'odd', 1)
    addNote(journal, findRun(journal, 'a').id, 'look again', 2)
    return { journal, token }
  }

  it('has all its attempts, each with its own outcome and cost, and data of other tables', () => {
    const { journal, token } = journalWithRetries()
    const [a, b] = recordedRuns(journal, { attempts: true, series: 'all' })
    expect(a).toMatchObject({
      key: 'key-a',
      state: 'completed',
      cost_usd: 0.75,
      metrics: { score: 1 },
      problems: { loss: 'no file' },
      series: [{ metric: 'score', steps: [1, 2], values: [0, 1] }],
      place: 'runs/a',
      outputs: ['out.txt'],
      token,
      fingerprint: 'first',
      why: 'test',
      tags: ['odd'],
      notes: ['look again'],
      attempts: [
        { number: 1, outcome: { kind: 'failed', message: 'not yet' }, cost_usd: 0.25, worker: 'here:1', mode: 'run' },
        { number: 2, outcome: { kind: 'completed' }, cost_usd: 0.5, superseded: false, continues: 1 },
      ],
    })
    expect(b?.attempts).toEqual([
      {
        ...{ number: 1, outcome: { kind: 'completed' }, fingerprint: 'first', worker: 'here:1' },
        ...{ started_at: 100, ended_at: 200, wall_s: 0.1, cost_usd: 0.125, cost_assumed: true },
        ...{ superseded: false, mode: 'run', continues: null },
      },
    ])
    expect(b).toMatchObject({ tags: [], notes: [], outputs: [], cost_assumed: true })
    expect(recordNamed(journal, 'a')).toEqual(a)
    expect(recordNamed(journal, 'nobody')).toBeUndefined()
  })

  it('has no row ids, and loads slow parts only on request', () => {
    const { journal } = journalWithRetries()
    const [a] = recordedRuns(journal, { metrics: false })
    expect(a).toMatchObject({ metrics: {}, problems: {}, series: [], attempts: [] })
    expect(Object.keys(a ?? {}).filter(name => name === 'id' || name.endsWith('_id'))).toEqual([])
    const [withSeries] = recordedRuns(journal, { series: ['other'] })
    expect(withSeries).toMatchObject({ metrics: { score: 1 }, series: [] })
  })

  it('is passed to planners once it has a result, with its series', () => {
    const { journal } = journalWithRetries()
    const { observations, seen } = observationsSince(journal, 0)
    expect(observations.map(({ name, metrics, series }) => [name, metrics.score, series.length])).toEqual([
      ['a', 1, 1],
      ['b', undefined, 0],
    ])
    expect(observationsSince(journal, seen)).toEqual({ observations: [], seen })
  })
})
