import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evidenceOfTable } from '../../../src/record/evidence/from-table.ts'
import { folderWith } from '../../support/assay.ts'

const none = { group: [], pairBy: [], run: null, step: null }
const read = (name: string, text: string, columns: Partial<Parameters<typeof evidenceOfTable>[1]> = {}) =>
  evidenceOfTable(join(folderWith({ [name]: text }), name), { ...none, ...columns })

describe('a table', () => {
  it('gives a run per row: numbers and booleans are metrics, other cells have a reason', () => {
    const { runs } = read('t.csv', '\uFEFFm,k,x,ok,note,blank\na,1,0.5,True,"a, b",\n', { group: ['m'], pairBy: ['k'] })
    expect(runs).toMatchObject([
      {
        name: 'row 1',
        params: { m: 'a' },
        block: { k: 1 },
        metrics: { x: 0.5, ok: 1 },
        problems: { note: 'not a number: "a, b"', blank: 'blank' },
      },
    ])
  })

  it('keeps names as they are written: 3.1 is not 3.10, and 007 is not 7', () => {
    const { runs } = read('t.csv', 'version,task,y\n3.1,7,1\n3.10,007,1\n3.9,1e5,1\n', {
      group: ['version'],
      pairBy: ['task'],
    })
    expect(runs.map(({ params }) => params.version)).toEqual([3.1, '3.10', 3.9])
    expect(runs.map(({ block }) => block.task)).toEqual([7, '007', '1e5'])
  })

  it('keeps NaN, which must be reported', () => {
    expect(read('t.csv', 'x\nnan\n').runs[0]?.metrics.x).toBeNaN()
  })

  it('gives a series per run if rows are points, sorted by step', () => {
    const text = ['{"id":"r","s":2,"y":20}', '{"id":"r","s":1,"y":10}', '{"id":"r","s":3}', ''].join('\n')
    expect(read('t.jsonl', text, { run: 'id', step: 's' }).runs).toMatchObject([
      { name: 'r', series: [{ metric: 'y', steps: [1, 2], values: [10, 20] }] },
    ])
  })

  it('that is empty, broken or lacks a column is an error with a hint', () => {
    expect(() => read('t.csv', 'a,b\n')).toThrow('has no rows')
    expect(() => read('t.jsonl', '{"a":1}\n[1]\n')).toThrow('t.jsonl:2: expected one JSON object a line')
    expect(() => read('t.csv', 'model\na\n', { group: ['modle'] })).toThrow('has no column "modle"')
    expect(() => evidenceOfTable('/nowhere/t.csv', none)).toThrow("can't be read")
  })
})
