import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evidenceOf, keptEvidence } from '../../../src/record/evidence/evidence.ts'
import { folderWith } from '../../support/assay.ts'

type Cells = readonly (string | number)[]

const csv = (header: string, rows: readonly Cells[]): string => [header, ...rows.map(row => row.join())].join('\n')

/** As a command line without `--pair-by` reads tables. */
function read(files: Readonly<Record<string, string>>, group: readonly string[] = ['arm']) {
  const folder = folderWith(files)
  const columns = { group, pairBy: null, run: null, step: null }
  return keptEvidence(
    Object.keys(files).map(name => evidenceOf(join(folder, name), { series: [], columns })),
    {},
  )
}

const arms = ['a', 'b']
const value = (at: number): number => Math.round(1e6 * Math.abs(Math.sin(at * 12.9898))) / 1e6

describe('rows that belong together without being declared', () => {
  it.each(['task', 'instance_id', 'Question', 'case id'])('are paired by %s if both arms have it', name => {
    const rows = arms.flatMap((arm, of) => [1, 2, 3, 4].map(task => [arm, `t${task}`, value(task + 10 * of)]))
    const { blocks, runs, notes } = read({ 't.csv': csv(`arm,${name},y`, rows) })
    expect(blocks).toEqual([name])
    expect(runs[0]).toMatchObject({ block: { [name]: 't1' }, problems: {} })
    expect(notes).toEqual([expect.stringContaining(`by ${name}, which different arms share`)])
    expect(notes?.[0]).toContain('4 independent units, not 8 rows')
  })

  it('are clustered by task within an arm if arms have different tasks', () => {
    const rows = arms.flatMap((arm, of) =>
      [1, 2, 3].flatMap(task => [1, 2, 3, 4].map(k => [arm, task + 3 * of, value(k + task)])),
    )
    const { blocks, notes } = read({ 't.csv': csv('arm,task,y', rows) })
    expect(blocks).toEqual(['task'])
    expect(notes?.[0]).toContain('6 independent units, not 24 rows')
  })

  it('are clustered by task and seed, unless arms have different seeds', () => {
    const rows = (shift: number) =>
      arms.flatMap((arm, of) =>
        [1, 2, 3].flatMap(task => [1, 2].map(seed => [arm, seed + of * shift, task, value(seed + 7 * task + of)])),
      )
    expect(read({ 't.csv': csv('arm,seed,task,y', rows(0)) }).blocks).toEqual(['task', 'seed'])
    expect(read({ 't.csv': csv('arm,seed,task,y', rows(10)) }).blocks).toEqual(['task'])
  })

  it('are found by a text that occurs once in every arm, also across tables', () => {
    const rows = (arm: string) => ['x.py', 'y.py', 'z.py'].map((file, at) => [arm, file, value(at)])
    expect(read({ 't.csv': csv('arm,file,y', arms.flatMap(rows)) }).blocks).toEqual(['file'])
    const tables = Object.fromEntries(arms.map(arm => [`${arm}.csv`, csv('arm,task,y', rows(arm))]))
    const { blocks, factors } = read(tables, [])
    expect({ blocks, factors }).toEqual({ blocks: ['task'], factors: ['experiment'] })
  })

  it.each([
    [
      'an id of the row itself',
      'arm,task,y',
      arms.flatMap((arm, of) => [1, 2, 3].map(k => [arm, k + 3 * of, value(k)])),
    ],
    [
      'what only says how hard a task is',
      'arm,difficulty,y',
      arms.flatMap(arm => [1, 2, 3, 4].map(k => [arm, k % 2 ? 'easy' : 'hard', value(k)])),
    ],
    ['the number of an attempt', 'arm,attempt,y', arms.flatMap(arm => [1, 2, 3].map(k => [arm, k, value(k)]))],
    ['a task that some rows lack', 'arm,task,y', arms.flatMap(arm => [1, 2, ''].map(k => [arm, k, value(Number(k))]))],
  ])('are not recognised by %s', (_, header, rows) => {
    expect(read({ 't.csv': csv(header, rows) }).blocks).toEqual([])
  })

  it('are not paired if few have a partner, with a note', () => {
    const rows = arms.flatMap((arm, of) => Array.from({ length: 10 }, (_, k) => [arm, k === 0 ? 't' : `t${k}${of}`, k]))
    const { blocks, notes } = read({ 't.csv': csv('arm,task,y', rows) })
    expect(blocks).toEqual([])
    expect(notes).toEqual([expect.stringContaining('--pair-by task pairs those')])
  })

  it('stay separate on request', () => {
    const folder = folderWith({
      't.csv': csv('arm,task,y', [
        ['a', 1, 1],
        ['b', 1, 2],
        ['a', 2, 3],
        ['b', 2, 4],
      ]),
    })
    const columns = { group: ['arm'], pairBy: [], run: null, step: null }
    const { blocks, notes } = keptEvidence([evidenceOf(join(folder, 't.csv'), { series: [], columns })], { pairBy: [] })
    expect({ blocks, notes }).toEqual({ blocks: [], notes: undefined })
  })
})

describe('copies of rows', () => {
  const once = arms.flatMap((arm, of) => [1, 2, 3, 4, 5].map(k => [arm, value(k + 9 * of)]))
  const thrice = [...once, ...once, ...once]

  it.each([
    ['one after the other', thrice],
    ['sorted', thrice.toSorted()],
    ['in part', [...once, ...once.slice(2, 4)]],
  ])('count once: a table pasted %s', (_, rows) => {
    const { runs, notes } = read({ 't.csv': csv('arm,y', rows) })
    expect(runs).toHaveLength(10)
    expect(notes).toEqual([expect.stringContaining(`${rows.length - 10} of ${rows.length} rows are copies of others`)])
  })

  it('count once if only yes and no were measured, by their order', () => {
    const answers = arms.flatMap((arm, of) =>
      Array.from({ length: 15 }, (_, k) => [arm, (k * (3 + of)) % 7 < 4 ? 1 : 0]),
    )
    expect(read({ 't.csv': csv('arm,solved', [...answers, ...answers, ...answers]) }).runs).toHaveLength(30)
  })

  it.each([
    ['equal yes and no', arms.flatMap(arm => Array.from({ length: 30 }, (_, k) => [arm, k % 3 === 0 ? 1 : 0]))],
    ['one yes after the other', Array.from({ length: 60 }, (_, k) => [k % 2 === 0 ? 'a' : 'b', 1])],
    ['coarse numbers', arms.flatMap(arm => Array.from({ length: 30 }, (_, k) => [arm, ((k * k) % 7) / 10]))],
    ['a program without chance', arms.flatMap((arm, of) => Array.from({ length: 9 }, () => [arm, value(of + 1)]))],
  ])('are not assumed if values may be measured: %s', (_, rows) => {
    const { runs, notes } = read({ 't.csv': csv('arm,y', rows) })
    expect(runs).toHaveLength(rows.length)
    expect(notes).toBeUndefined()
  })
})
