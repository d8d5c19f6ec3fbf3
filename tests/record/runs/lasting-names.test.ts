import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { text } from '../../../src/record/journal/columns.ts'
import { offerRuns, refuseTakenNames, takePlannerLease } from '../../../src/record/runs/offer.ts'
import type { Json } from '../../../src/util/json.ts'
import { experimentWith } from '../../plan/experiment.ts'
import { assay, folderWith, startAssay, summaryOf } from '../../support/assay.ts'
import { journalRows } from '../../support/journal.ts'
import { define, openJournal, planned, runNamed } from '../support.ts'

it('a name stays with its run', () => {
  const { journal } = planned('a', 'b')
  expect(refuseTakenNames(journal, [runNamed('a'), runNamed('c')])).toBeUndefined()
  expect(() => refuseTakenNames(journal, [{ ...runNamed('b'), key: 'another' }])).toThrow(
    'the name b belongs to a run with other parameters in this directory',
  )
})

describe('numbers in names', () => {
  const file = (models: string, seeds: string) => `
name: numbered
naming: "var-{variant:3}-run-{run:3}"
target: { kind: command, command: [sh, -c, 'echo {model}'] }
factors: { model: ${models} }
seeds: ${seeds}
limits: { jobs: 2 }
`
  const folder = (models: string, seeds: string) => {
    const cwd = folderWith({ 'experiment.yaml': file(models, seeds) })
    return {
      cwd,
      dir: join(cwd, 'results/numbered'),
      write: (...parts: [string, string]) => writeFileSync(join(cwd, 'experiment.yaml'), file(...parts)),
    }
  }
  const names = (dir: string): Record<string, string> =>
    Object.fromEntries(
      journalRows<{ run: string; name: string }>(
        dir,
        `SELECT (spec ->> '$.params.model') || (spec ->> '$.block.seed') AS run, name FROM runs ORDER BY run`,
      ).map(({ run, name }) => [run, name]),
    )
  const foreseen = async (cwd: string, ...more: readonly string[]): Promise<Record<string, string>> => {
    const { runs } = JSON.parse((await assay(['plan', '--json', ...more], { cwd })).stdout)
    return Object.fromEntries(
      runs.map(({ id, params, block }: { id: string; params: { model: string }; block: { seed: number } }) => [
        `${params.model}${block.seed}`,
        id,
      ]),
    )
  }

  it('follow the file at first, in any order of runs', async () => {
    const { cwd, dir } = folder('[a, c]', '[1, 2]')
    const expected = { a1: 'var-001-run-001', a2: 'var-001-run-002', c1: 'var-002-run-001', c2: 'var-002-run-002' }
    expect(await foreseen(cwd)).toEqual(expected)
    await assay(['run', '--order', 'shuffled'], { cwd })
    expect(names(dir)).toEqual(expected)
  })

  it('stay with their runs when levels and seeds are added in the middle, and plan knows the new ones', async () => {
    const { cwd, dir, write } = folder('[a, c]', '[1, 3]')
    await assay(['run'], { cwd })
    const before = names(dir)
    write('[a, b, c]', '[1, 2, 3]')
    const after = {
      ...before,
      a2: 'var-001-run-003',
      b1: 'var-003-run-001',
      b2: 'var-003-run-002',
      b3: 'var-003-run-003',
      c2: 'var-002-run-003',
    }
    expect(await foreseen(cwd)).toEqual(after)
    const why = await assay(['why', 'experiment.yaml', 'var-003-run-002', '--json'], { cwd })
    expect(JSON.parse(why.stdout)).toMatchObject({
      name: 'var-003-run-002',
      params: { model: 'b' },
      block: { seed: 2 },
    })
    const { status, stdout } = await assay(['run', '--json'], { cwd })
    expect(status).toBe(0)
    expect(summaryOf({ status, stdout, stderr: '', signal: null })).toMatchObject({ completed: 9, reused: 4 })
    expect(names(dir)).toEqual(after)
  })

  it('are the same in every part of the plan: by filter, by shard, in one directory or in several', async () => {
    const { cwd, dir } = folder('[a, b, c]', '[1, 2]')
    const whole = await foreseen(cwd)
    await assay(['run', '--filter', 'model=c'], { cwd })
    expect(names(dir)).toEqual({ c1: 'var-003-run-001', c2: 'var-003-run-002' })
    await assay(['run', '--shard', '2/2'], { cwd })
    await assay(['run', '--shard', '1/2'], { cwd })
    expect(names(dir)).toEqual(whole)
    rmSync(dir, { recursive: true })
    await assay(['run', '--shard', '2/2'], { cwd })
    const second = names(dir)
    rmSync(dir, { recursive: true })
    await assay(['run', '--shard', '1/2'], { cwd })
    expect({ ...second, ...names(dir) }).toEqual(whole)
  })

  it('are assigned once by two simultaneous workers', async () => {
    const { cwd, dir, write } = folder('[a, c, e]', '1..4')
    await assay(['run', '--first', '5'], { cwd })
    const before = names(dir)
    write('[a, b, c, d, e]', '0..5')
    await assay(['sweep', 'create', 'experiment.yaml'], { cwd })
    const workers = [1, 2].map(() => startAssay(['worker', dir, '-j', '2'], { cwd }))
    expect((await Promise.all(workers.map(({ ended }) => ended))).map(({ status }) => status)).toEqual([0, 0])
    const after = names(dir)
    expect(after).toMatchObject(before)
    expect(Object.keys(after)).toHaveLength(30)
    expect(new Set(Object.values(after)).size).toBe(30)
    const variants = Object.entries(after).map(([run, name]) => `${run[0]} ${name.slice(0, 7)}`)
    expect(new Set(variants).size).toBe(5)
  })

  it('number the variants of a search as they are proposed', async () => {
    const cwd = folderWith({
      'experiment.yaml': `
name: numbered
naming: "var-{variant:3}-run-{run:3}"
target: { kind: command, command: [sh, -c, 'echo {x}'] }
factors: { x: { min: 0.0, max: 1.0 } }
seeds: [1, 2]
search: { method: random, max_runs: 6 }
`,
    })
    const { status } = await assay(['run'], { cwd })
    expect(status).toBe(0)
    const rows = journalRows<{ name: string }>(join(cwd, 'results/numbered'), 'SELECT name FROM runs ORDER BY name')
    expect(rows.map(({ name }) => name)).toEqual(
      [1, 2, 3].flatMap(variant => [1, 2].map(run => `var-00${variant}-run-00${run}`)),
    )
  })

  it('of one window follow those of another process', () => {
    const { journal, workerId } = openJournal()
    define(journal, 'first')
    const other = openJournal(journal.file)
    const experiment = experimentWith({ naming: { kind: 'template', template: 'r{run:3}' } })
    const offer = (to: typeof other, names: readonly string[]) => {
      takePlannerLease(to.journal, to.workerId)
      const proposals = names.map(name => ({
        run: { ...runNamed(name), numbers: { variant: 1, run: 1 } },
        why: 'test',
      }))
      const more = { experiment, proposals, state: 0, done: false, seen: 0, generation: 0 }
      return offerRuns(to.journal, { ...more, workerId: to.workerId })
    }
    expect(offer({ journal, workerId }, ['a', 'b'])).toBe(2)
    expect(offer(other, ['c'])).toBe(1)
    expect(offer({ journal, workerId }, ['d', 'a'])).toBe(1)
    const rows = journal.all({ key: text, name: text }, 'SELECT key, name FROM runs ORDER BY id')
    expect(rows.map(({ key, name }) => `${key} ${name}`)).toEqual([
      'key-a r001',
      'key-b r002',
      'key-c r003',
      'key-d r004',
    ])
  })

  it('of a failed window are free again', () => {
    const { journal, workerId } = openJournal()
    define(journal, 'first')
    const experiment = experimentWith({ naming: { kind: 'template', template: 'r{run:3}' } })
    const offer = (names: readonly string[], state: Json) => {
      takePlannerLease(journal, workerId)
      const proposals = names.map(name => ({
        run: { ...runNamed(name), numbers: { variant: 1, run: 0 } },
        why: 'test',
      }))
      return offerRuns(journal, { workerId, experiment, proposals, state, done: false, seen: 0, generation: 0 })
    }
    offer(['a'], 0)
    journal.run(
      `CREATE TRIGGER full BEFORE INSERT ON runs WHEN NEW.key = 'key-c' BEGIN SELECT RAISE(ABORT, 'full'); END`,
    )
    expect(() => offer(['b', 'c'], 0)).toThrow('full')
    offer(['d'], 0)
    const rows = journal.all({ key: text, name: text }, 'SELECT key, name FROM runs ORDER BY id')
    expect(rows.map(({ key, name }) => `${key} ${name}`)).toEqual(['key-a r001', 'key-d r002'])
  })
})
