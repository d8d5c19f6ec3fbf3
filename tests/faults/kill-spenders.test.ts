import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { seededRandom } from '../../src/util/random.ts'
import { folderWith } from '../support/assay.ts'
import { bundled } from '../support/bundled.ts'
import { linesOf } from '../support/files.ts'
import { journalRows } from '../support/journal.ts'

const budget = 2

/** What was really spent, at most: what calls cost, or could cost where nobody lived to say. */
function truthIn(file: string): number {
  const calls = new Map<string, number>()
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [id = '', usd = ''] = line.split(' ')
    calls.set(id, Number(usd))
  }
  return [...calls.values()].reduce((sum, usd) => sum + usd, 0)
}

it('three processes call models at once and are killed at random: the budget holds, and the ledger adds up', async () => {
  const dir = folderWith({ truth: '' })
  const truth = join(dir, 'truth')
  const program = await bundled(join(import.meta.dirname, '../fixtures/programs/spends-on-calls.ts'))
  const start = (role: string) => {
    const child = spawn(process.execPath, [program, role, dir, String(budget), truth], { stdio: 'ignore' })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, ended: once(child, 'exit') }
  }
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
