import { describe, expect, it } from 'vitest'
import { runColumns } from '../../web/runs/run-columns.ts'
import { runFilter } from '../../web/runs/run-filter.ts'
import { runsOf } from '../../web/runs/run-index.ts'
import { aRun, evidenceWith } from '../analyze/evidence.ts'
import { aDataset } from '../report/dataset/datasets.ts'

const runs = [
  aRun({ name: 'one', params: { arm: 'a', size: 1 }, metrics: { score: 0.5 } }),
  aRun({ name: 'two', params: { arm: 'b', size: 2 }, metrics: { score: 0.9 } }),
  aRun({ name: 'three', params: { arm: 'b' }, outcome: { kind: 'failed', error_class: 'exit_7' } }),
]
const dataset = aDataset(evidenceWith(runs, { factors: ['arm', 'size'] }))
const columns = runColumns(dataset)
const found = (text: string) =>
  [...runsOf(dataset).values()].filter(runFilter(text, columns)).map(({ run }) => run.name)

describe('finding runs', () => {
  it.each([
    ['', ['one', 'two', 'three']],
    ['TWO', ['two']],
    ['b failed', ['three']],
    ['arm=b', ['two', 'three']],
    ['score > 0.6', ['two']],
    ["arm == 'b' and size == 2", ['two']],
    ['error_class=exit_7', ['three']],
    ['nothing like it', []],
  ])('%s', (text, names) => {
    expect(found(text)).toEqual(names)
  })

  it('reports errors in the input', () => {
    expect(() => found('scor > 0.6')).toThrow('scor')
    expect(() => found('score >')).toThrow()
  })
})
