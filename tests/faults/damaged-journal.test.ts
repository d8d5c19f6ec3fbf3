import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { assay, type Ended, folderWith, summaryOf } from '../support/assay.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'
import { prepared } from '../support/prepared.ts'
import { damages, logDamages } from './damages.ts'

const runs = 12
const files = {
  'program.sh':
    '#!/bin/sh\necho x >> started\necho \'{"m": 7, "loss": 0.5, "cost_usd": 0.25}\' >> "$ASSAY_METRICS_FILE"\n',
  'e.yaml': `name: e
target: { kind: command, command: [./program.sh] }
factors: { x: [1, 2, 3] }
seeds: 1..4
limits: { budget_usd: 100, run_budget_usd: 1 }
metrics: { m: {} }
`,
}

/** A finished experiment. */
const closed = prepared(async () => {
  const cwd = folderWith(files)
  expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(0)
  return cwd
})

/** The same as a process that was killed leaves it: every page is in the log too. */
const open = prepared(async () => {
  const cwd = folderWith()
  const whole = await closed()
  const database = new DatabaseSync(join(whole, 'results/e/journal.db'))
  database.exec(`PRAGMA wal_autocheckpoint = 0; UPDATE runs SET why = why || ' '; UPDATE attempts SET cwd = cwd || ' '`)
  database.exec(
    `UPDATE runs SET why = trim(why); UPDATE attempts SET cwd = trim(cwd); UPDATE metrics SET value = value`,
  )
  cpSync(whole, cwd, { recursive: true })
  database.close()
  return cwd
})

async function damaged(sound: () => Promise<string>, damage: (file: string) => void, suffix = '') {
  const cwd = await sound()
  const dir = join(cwd, 'results/e')
  damage(join(dir, `journal.db${suffix}`))
  return { cwd, dir, started: () => linesOf(join(cwd, 'started')).length }
}

/** Any damage is reported with the name of the file. */
function isNamed({ status, stderr }: Ended): void {
  expect(stderr).not.toContain('bug in assay')
  expect([0, 2]).toContain(status)
  if (status === 2) expect(stderr).toMatch(/journal|definition/)
}

/** The journal is reported as damaged, or usable; after a repair, no run is repeated and no cost is missing. */
async function holds(e: Awaited<ReturnType<typeof damaged>>): Promise<void> {
  isNamed(await assay(['status', e.dir], e))
  const first = await assay(['run', 'e.yaml', '-q'], e)
  isNamed(first)
  if (first.status !== 0) {
    const repaired = await assay(['repair', 'results/e'], e)
    expect(repaired).toMatchObject({ status: 0, stderr: '' })
    // A second one has nothing left to do.
    expect((await assay(['repair', 'results/e', '--json'], e)).stdout).toContain('"taken_in": 0')
  }
  const after = await assay(['run', 'e.yaml', '--json'], e)
  expect({ ...summaryOf(after), stderr: after.stderr }).toMatchObject({ completed: runs })
  expect(e.started()).toBe(runs)
  const [total] = journalRows<{ spent_usd: number }>(e.dir, 'SELECT spent_usd FROM experiment')
  expect(total?.spent_usd).toBeGreaterThanOrEqual(runs * 0.25 - 1e-9)
}

describe('a damaged journal is reported, and repair saves its content:', () => {
  it.each(Object.keys(damages))('%s', async name => {
    await holds(await damaged(closed, damages[name] ?? expect.unreachable))
  })
})

describe('so is a journal with a damaged log:', () => {
  it.each(Object.keys(logDamages))('%s', async name => {
    await holds(await damaged(open, logDamages[name] ?? expect.unreachable, '-wal'))
  })
})

const manyFunctions = prepared(async () => {
  const cwd = folderWith({
    'f.mjs': `import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
export default ({ x }) => {
  appendFileSync(join(import.meta.dirname, 'started'), 'x\\n')
  return { m: x, cost_usd: 0.5 }
}
`,
    'e.yaml': `name: e
target: { kind: function, module: f.mjs }
factors: { x: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] }
seeds: 1..20
limits: { jobs: 4, budget_usd: 1000, run_budget_usd: 1 }
`,
  })
  expect(await assay(['run', 'e.yaml', '-q'], { cwd })).toMatchObject({ status: 0 })
  return cwd
})

describe('repair saves all runs without files that are not on a damaged page:', () => {
  it.each([0.3, 0.5, 0.7, 0.9])('a page at %d of the journal', async share => {
    const cwd = await manyFunctions()
    const dir = join(cwd, 'results/e')
    const file = join(dir, 'journal.db')
    const bytes = readFileSync(file)
    const page = Math.floor((bytes.length / 4096) * share)
    writeFileSync(file, bytes.fill(0, page * 4096, (page + 1) * 4096))
    const repaired = JSON.parse((await assay(['repair', dir, '--json'], { cwd })).stdout)
    expect(repaired).toMatchObject({ damage: expect.any(String), taken_in: 0, has_definition: true })
    expect(repaired.saved.attempts).toBeGreaterThan(360)
    expect(journalRows(dir, 'SELECT spent_usd FROM experiment')).toEqual([{ spent_usd: 200 }])
    expect(summaryOf(await assay(['run', 'e.yaml', '--json'], { cwd }))).toMatchObject({ completed: 400 })
    expect(linesOf(join(cwd, 'started')).length).toBe(800 - repaired.saved.attempts)
  })
})
