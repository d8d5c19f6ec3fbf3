import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { folderWith } from '../support/assay.ts'
import { bundled } from '../support/bundled.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'

const budget = 2

/** The maximum real spend of each run: the cost of calls, or their bound if the process died. */
function truthByRun(file: string): ReadonlyMap<string, number> {
  const calls = new Map<string, number>()
  for (const line of linesOf(file)) {
    const [id = '', usd = ''] = line.split(' ')
    calls.set(id, Number(usd))
  }
  const runs = new Map<string, number>()
  for (const [id, usd] of calls) {
    const [key = ''] = id.split('.')
    runs.set(key, (runs.get(key) ?? 0) + usd)
  }
  return runs
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, usd) => all + usd, 0)
const truthIn = (file: string): number => sum(truthByRun(file).values())

/** Starts processes on one experiment. */
async function spenders(limits: object) {
  const dir = folderWith({ truth: '' })
  const truth = join(dir, 'truth')
  const program = await bundled(join(import.meta.dirname, '../fixtures/programs/spends-on-calls.ts'))
  const start = (role: string) => {
    const child = spawn(process.execPath, [program, role, dir, JSON.stringify(limits), truth], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, ended: once(child, 'exit') }
  }
  return { dir, truth, start }
}

it('three processes that call models and are killed at random keep the budget and a consistent ledger', async () => {
  const { dir, truth, start } = await spenders({ budget_usd: budget })
  const check = () => {
    const [money] = journalRows<{ spent_usd: number; reserved_usd: number }>(
      dir,
      'SELECT spent_usd, reserved_usd FROM experiment',
    )
    const known = (money?.spent_usd ?? 0) + (money?.reserved_usd ?? 0)
    expect(known).toBeLessThanOrEqual(budget + 1e-9)
    expect(truthIn(truth)).toBeLessThanOrEqual(known + 1e-9)
    const [ledger] = journalRows<{ set_aside: number; spent: number }>(
      dir,
      `SELECT sum(CASE kind WHEN 'reserve' THEN usd WHEN 'release' THEN -usd ELSE 0 END) AS set_aside,
              coalesce(sum(usd) FILTER (WHERE kind IN ('charge', 'assumed')), 0) AS spent FROM ledger`,
    )
    expect(ledger?.set_aside).toBeCloseTo(money?.reserved_usd ?? 0, 9)
    expect(ledger?.spent).toBeCloseTo(money?.spent_usd ?? 0, 9)
  }
  const random = seededRandom(5)
  for (let round = 0; round < 5; round++) {
    const before = linesOf(truth).length
    const processes = ['run', ...(round === 0 ? [] : ['worker', 'worker'])].map(start)
    // However long a start takes on this machine: calls are under way when the first is killed.
    const isOver = () => processes.every(({ child }) => child.exitCode !== null)
    await expect.poll(() => isOver() || linesOf(truth).length > before + 16).toBe(true)
    const timers = processes.map(({ child }) => setTimeout(() => child.kill('SIGKILL'), 100 + random.next() * 900))
    await Promise.all(processes.map(({ ended }) => ended))
    for (const timer of timers) clearTimeout(timer)
    check()
  }
  const [exitCode] = await start('run').ended
  check()

  expect(exitCode).toBe(3)
  expect(truthIn(truth)).toBeGreaterThan(budget / 3)
  const [money] = journalRows<{ spent_usd: number; reserved_usd: number }>(
    dir,
    'SELECT spent_usd, reserved_usd FROM experiment',
  )
  expect(money?.reserved_usd).toBeCloseTo(0, 9)
  // It went on until another call no longer fitted.
  expect(money?.spent_usd).toBeGreaterThan(budget - 0.01 - 1e-9)
  const [lost] = journalRows<{ n: number; assumed: number }>(
    dir,
    "SELECT count(*) AS n, sum(cost_assumed) AS assumed FROM attempts WHERE facts ->> 'error_class' = 'lost'",
  )
  expect(lost?.n).toBeGreaterThan(5)
  expect(lost?.assumed).toBeGreaterThan(0)
  const cut = journalRows<{ limit: string }>(
    dir,
    "SELECT DISTINCT facts ->> 'limit' AS \"limit\" FROM attempts WHERE outcome = 'cost_limited'",
  )
  expect(cut).toEqual([{ limit: 'budget_usd' }])
})

it('a repeatedly killed run never exceeds its cap, and the ledger has every call', async () => {
  const cap = 0.02
  const { dir, truth, start } = await spenders({ run_budget_usd: cap, jobs: 4 })
  const random = seededRandom(8)
  let kills = 0
  for (let isOver = false; !isOver; ) {
    const before = linesOf(truth).length
    const { child, ended } = start('run')
    await expect.poll(() => child.exitCode !== null || linesOf(truth).length > before + 8).toBe(true)
    // Some live long enough to end runs, so that killed attempts are not all there is.
    const timer = setTimeout(() => child.kill('SIGKILL'), random.next() * (kills < 8 ? 60 : 20_000))
    await ended
    clearTimeout(timer)
    kills++
    isOver = child.exitCode !== null || kills === 10
    const runs = journalRows<{ key: string; usd: number }>(
      dir,
      `SELECT r.key, sum(coalesce(a.cost_usd, 0) + CASE WHEN a.ended_at IS NULL THEN a.open_usd ELSE 0 END) AS usd
       FROM runs r JOIN attempts a ON a.run_id = r.id GROUP BY r.key`,
    )
    const spent = truthByRun(truth)
    expect(spent.size).toBeGreaterThan(0)
    for (const [key, usd] of spent) {
      expect(usd).toBeLessThanOrEqual(cap + 1e-9)
      expect(usd).toBeLessThanOrEqual((runs.find(run => run.key === key)?.usd ?? 0) + 1e-9)
    }
  }
  const [lost] = journalRows<{ n: number }>(
    dir,
    "SELECT count(*) AS n FROM attempts WHERE facts ->> 'error_class' = 'lost'",
  )
  expect(lost?.n).toBeGreaterThan(8)
})
