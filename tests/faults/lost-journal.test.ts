import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { assay, complaint, eventsOf, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { appeared, linesOf } from '../support/files.ts'
import { changeJournal, journalRows } from '../support/journal.ts'

const program = `#!/bin/sh
echo "$ASSAY_RUN_ID" >> "$(dirname "$0")/started"
echo '{"m": 7, "cost_usd": 0.25}' >> "$ASSAY_METRICS_FILE"
[ "$1" != 3 ]
`

const definition = `name: e
target: { kind: command, command: [./program.sh, '{x}'] }
factors: { x: [1, 2, 3, 4] }
limits: { jobs: 1, budget_usd: 100, run_budget_usd: 1 }
metrics: { m: {} }
`

/** An experiment that has been run: three runs completed, one failed. */
async function finished() {
  const cwd = folderWith({ 'program.sh': program, 'e.yaml': definition })
  const dir = join(cwd, 'results/e')
  expect((await assay(['run', 'e.yaml', '-q'], { cwd })).status).toBe(1)
  const started = () => linesOf(join(cwd, 'started')).length
  expect(started()).toBe(4)
  return { cwd, dir, started, run: (...args: string[]) => assay(['run', 'e.yaml', '--json', ...args], { cwd }) }
}

const repaired = async (cwd: string) =>
  JSON.parse((await assay(['repair', 'results/e', '--json'], { cwd })).stdout.trim())

const money = (dir: string) =>
  journalRows<{ spent_usd: number }>(dir, 'SELECT spent_usd FROM experiment').map(({ spent_usd }) => spent_usd)

describe('results without a journal', () => {
  it('are not run again, but reported, with the command that takes them in', async () => {
    const e = await finished()
    rmSync(join(e.dir, 'journal.db'))
    const again = await assay(['run', 'e.yaml'], e)
    expect(again.status).toBe(2)
    expect(complaint(again, e)).toContain('4 results in <cwd>/results/e/runs are not in the journal')
    expect(complaint(again, e)).toContain('assay repair <cwd>/results/e')
    rmSync(join(e.dir, 'journal.db'))
    const status = await assay(['status', e.dir], e)
    expect(status.status).toBe(2)
    expect(complaint(status, e)).toContain('assay repair <cwd>/results/e')
    expect(e.started()).toBe(4)
  })

  it('are in the journal again after a repair: outcomes, metrics, costs', async () => {
    const e = await finished()
    rmSync(join(e.dir, 'journal.db'))
    expect(await repaired(e.cwd)).toMatchObject({ damage: 'it is gone', taken_in: 4, cost_usd: 1, unknown_costs: 0 })
    const after = await e.run()
    expect(summaryOf(after)).toMatchObject({ completed: 3, failed: 1, reused: 3, attempts: 4 })
    expect(e.started()).toBe(4)
    expect(money(e.dir)).toEqual([1])
    expect(journalRows(e.dir, `SELECT count(*) AS n FROM metrics WHERE name = 'm' AND value = 7`)).toEqual([{ n: 4 }])
  })

  it('are taken in once, even with repeated repairs', async () => {
    const e = await finished()
    rmSync(join(e.dir, 'journal.db'))
    await repaired(e.cwd)
    expect(await repaired(e.cwd)).toMatchObject({ damage: null, taken_in: 0, saved: { runs: 0, attempts: 0 } })
    await e.run()
    const told = await assay(['repair', 'results/e'], e)
    expect(told.stdout).toContain('nothing to repair')
    expect(money(e.dir)).toEqual([1])
  })

  it('of an earlier version without their definition are stale until the user decides', async () => {
    const e = await finished()
    rmSync(join(e.dir, 'journal.db'))
    for (const name of readdirSync(join(e.dir, 'runs'))) {
      const file = join(e.dir, 'runs', name, 'result.json')
      const text = readFileSync(file, 'utf8')
      // Those had no digest either.
      writeFileSync(file, text.replace(/ {2}"fingerprint".*\n/, '').replace(/,\n {2}"sha256".*/, ''))
    }
    await repaired(e.cwd)
    expect((await e.run()).status).toBe(2)
    expect(summaryOf(await e.run('--stale', 'keep'))).toMatchObject({ completed: 3, attempts: 4 })
    expect(e.started()).toBe(4)
  })

  it('without a known cost are charged their reservation, as assumed', async () => {
    const cwd = folderWith({ 'program.sh': '#!/bin/sh\ntrue\n', 'e.yaml': definition })
    const dir = join(cwd, 'results/e')
    await assay(['run', 'e.yaml', '-q'], { cwd })
    const before = money(dir)
    // Only a part is gone: the definition with its limits is still there.
    changeJournal(dir, 'DELETE FROM metrics; DELETE FROM ledger; DELETE FROM attempts; DELETE FROM runs')
    changeJournal(dir, 'UPDATE experiment SET spent_usd = 0, planner_state = NULL, planner_done = 0')
    expect(await repaired(cwd)).toMatchObject({ taken_in: 4, cost_usd: 0, unknown_costs: 4 })
    expect(money(dir)).toEqual(before)
    expect(journalRows(dir, 'SELECT DISTINCT kind FROM ledger WHERE usd > 0')).toEqual(
      expect.arrayContaining([{ kind: 'assumed' }]),
    )
  })
})

it('a journal that lost its log loses no run with a result', async () => {
  const e = await finished()
  // As a copy that was made while it was running, or after a kill, has it: the newest part is in the log.
  rmSync(join(e.dir, 'journal.db'))
  const cut = join(e.cwd, 'cut')
  const gate = 'while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.02; done'
  writeFileSync(join(e.cwd, 'program.sh'), `${program}\n[ "$1" != 3 ] || sleep 1000000\n`.replace('\n', `\n${gate}\n`))
  rmSync(join(e.dir, 'runs'), { recursive: true })
  rmSync(join(e.cwd, 'started'))
  const going = startAssay(['run', 'e.yaml', '--json'], e)
  // The journal without its log, as before the first result, because later the log is folded into it.
  const early = join(e.cwd, 'early')
  mkdirSync(early)
  const named = () => {
    cpSync(join(e.dir, 'journal.db'), join(early, 'journal.db'))
    return journalRows(early, 'SELECT name FROM experiment')
  }
  await expect.poll(named).toEqual([{ name: 'e' }])
  writeFileSync(join(e.cwd, 'go'), '')
  await expect.poll(() => existsSync(join(e.cwd, 'started')) && e.started()).toBe(3)
  going.child.kill('SIGKILL')
  await going.ended
  cpSync(e.dir, cut, { recursive: true })
  cpSync(join(early, 'journal.db'), join(cut, 'journal.db'))
  rmSync(join(cut, 'journal.db-wal'))
  rmSync(join(cut, 'journal.db-shm'), { force: true })
  rmSync(e.dir, { recursive: true })
  renameSync(cut, e.dir)
  // The first seconds stand by themselves: the definition is there.
  expect(journalRows(e.dir, 'SELECT name FROM experiment')).toEqual([{ name: 'e' }])
  expect((await e.run()).status).toBe(2)
  expect((await assay(['status', e.dir], e)).stdout).toContain(
    '2 results in runs/ are not in the journal: `assay repair',
  )
  expect(summaryOf(await assay(['status', e.dir, '--json'], e))).toMatchObject({ unrecorded_results: 2 })
  expect(await repaired(e.cwd)).toMatchObject({ damage: null, taken_in: 2, without_result: 1 })
  writeFileSync(join(e.cwd, 'program.sh'), program)
  expect(summaryOf(await e.run())).toMatchObject({ completed: 3, failed: 1 })
  expect(linesOf(join(e.cwd, 'started')).length).toBe(5)
})

it('a result with a flipped bit is reported and not used', async () => {
  const e = await finished()
  const names = readdirSync(join(e.dir, 'runs')).toSorted()
  const [name = ''] = names
  const file = join(e.dir, 'runs', name, 'result.json')
  const written = readFileSync(file, 'latin1')
  // One bit of a digit: still JSON, and still the form of a result.
  const flipped = written.replace(/("wall_time_s": )(\d)/, (_, key, digit) => `${key}${Number(digit) ^ 1}`)
  expect(flipped).not.toBe(written)
  writeFileSync(file, flipped, 'latin1')
  rmSync(join(e.dir, 'journal.db'))
  expect(await repaired(e.cwd)).toMatchObject({ taken_in: names.length - 1, damaged_results: [name] })
  expect((await assay(['repair', e.dir], e)).stdout).toContain(
    `damaged: the result of ${name} was changed after it was written: the run is executed again`,
  )
})

it('files that a program made in place of attempts or result don’t prevent a repair', async () => {
  const e = await finished()
  const [one = '', two = ''] = readdirSync(join(e.dir, 'runs'))
  writeFileSync(join(e.dir, 'runs', one, 'attempts'), 'a file')
  rmSync(join(e.dir, 'runs', two, 'result.json'))
  mkdirSync(join(e.dir, 'runs', two, 'result.json'))
  rmSync(join(e.dir, 'journal.db'))
  // Of the second, meta.json has the result too.
  expect(await repaired(e.cwd)).toMatchObject({ taken_in: 4 })
})

const waits = `#!/bin/sh
echo x >> "$(dirname "$0")/started"
while [ ! -e "$(dirname "$0")/go" ]; do sleep 0.02; done
`

describe('a journal deleted while in use', () => {
  it('is noticed at once and rewritten in full by the only process', async () => {
    const cwd = folderWith({
      'program.sh': waits,
      'e.yaml': definition.replace('jobs: 1', 'jobs: 2').replace(/budget_usd: 100, run_budget_usd: 1/, 'timeout: 1h'),
    })
    const dir = join(cwd, 'results/e')
    const going = startAssay(['run', 'e.yaml', '--json'], { cwd })
    await expect.poll(() => existsSync(join(cwd, 'started')) && linesOf(join(cwd, 'started')).length).toBe(2)
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) rmSync(join(dir, name), { force: true })
    await going.said('was deleted while assay was working')
    await appeared(join(dir, 'journal.db'))
    writeFileSync(join(cwd, 'go'), '')
    const ended = await going.ended
    expect(ended.status).toBe(0)
    expect(summaryOf(ended)).toMatchObject({ completed: 4, attempts: 4 })
    expect(summaryOf(await assay(['status', dir, '--json'], { cwd }))).toMatchObject({ completed: 4, attempts: 4 })
    expect(linesOf(join(cwd, 'started')).length).toBe(4)
  })

  it('by several processes is saved by each for a repair', async () => {
    const cwd = folderWith({
      'program.sh': waits,
      'e.yaml': definition.replace('1, 2, 3, 4', '1, 2, 3, 4, 5, 6, 7, 8'),
    })
    const dir = join(cwd, 'results/e')
    const run = startAssay(['run', 'e.yaml', '--json'], { cwd })
    await run.said('attempt_started')
    const worker = startAssay(['worker', dir, '--json'], { cwd })
    await worker.said('attempt_started')
    for (const name of ['journal.db', 'journal.db-wal', 'journal.db-shm']) rmSync(join(dir, name), { force: true })
    await run.said('running ones finish')
    await worker.said('running ones finish')
    writeFileSync(join(cwd, 'go'), '')
    const ends = await Promise.all([run.ended, worker.ended])
    expect(ends.map(({ status }) => status)).toEqual([2, 2])
    expect(eventsOf(ends[0]).at(-1)).toMatchObject({ kind: 'error', code: 'cannot_write' })
    const before = linesOf(join(cwd, 'started')).length
    expect(await repaired(cwd)).toMatchObject({ saved: { attempts: before }, taken_in: 0, has_definition: true })
    expect(summaryOf(await assay(['run', 'e.yaml', '--json'], { cwd }))).toMatchObject({ completed: 8, attempts: 8 })
    expect(linesOf(join(cwd, 'started')).length).toBe(8)
  })
})

it('a repair killed between its last steps can be repeated with the same result', async () => {
  const e = await finished()
  const file = join(e.dir, 'journal.db')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0, 8192, 12_288))
  // Killed after the damaged file was kept and before the new one had its name.
  cpSync(file, join(e.dir, 'journal.damaged-1.db'))
  cpSync(file, join(e.dir, '.repair', 'half.db'))
  expect(await repaired(e.cwd)).toMatchObject({ kept: join(e.dir, 'journal.damaged-1.db') })
  expect(
    readdirSync(e.dir)
      .filter(name => /journal|repair/.test(name))
      .toSorted(),
  ).toEqual(['journal.damaged-1.db', 'journal.db'])
  expect(summaryOf(await e.run())).toMatchObject({ completed: 3, failed: 1, attempts: 4 })
  expect(money(e.dir)).toEqual([1])
  expect(e.started()).toBe(4)
})

it('a journal in use is not repaired', async () => {
  const cwd = folderWith({ 'program.sh': waits, 'e.yaml': definition })
  const going = startAssay(['run', 'e.yaml', '--json'], { cwd })
  await going.said('attempt_started')
  const refused = await assay(['repair', 'results/e'], { cwd })
  expect(refused.status).toBe(2)
  expect(complaint(refused, { cwd })).toContain(`process ${going.child.pid} on `)
  writeFileSync(join(cwd, 'go'), '')
  expect((await going.ended).status).toBe(0)
})

it('a database of another program is not repaired', async () => {
  const cwd = folderWith()
  const dir = join(cwd, 'results/e')
  mkdirSync(join(dir, 'runs'), { recursive: true })
  writeFileSync(join(dir, 'journal.db'), '')
  changeJournal(dir, 'CREATE TABLE mine (x); INSERT INTO mine VALUES (1)')
  const before = readFileSync(join(dir, 'journal.db'))
  const refused = await assay(['repair', dir], { cwd })
  expect(refused.status).toBe(2)
  expect(complaint(refused, { cwd })).toContain('not one that assay made')
  expect(readFileSync(join(dir, 'journal.db')).equals(before)).toBe(true)
})
