import { describe, expect, it, vi } from 'vitest'
import type { Run } from '../../../src/define/run.ts'
import { anyColumns, text } from '../../../src/record/journal/columns.ts'
import { setControl } from '../../../src/record/journal/experiment-row.ts'
import { takePlannerLease } from '../../../src/record/runs/offer.ts'
import { settleAttempt } from '../../../src/record/runs/settle.ts'
import { heartbeat, takeOver } from '../../../src/record/runs/workers.ts'
import { completed } from '../../execute/prompt-executor.ts'
import { claim, define, finished, joinAgain, money, openJournal, planned, settle, states } from '../support.ts'

describe('claiming', () => {
  it('claims ready runs in order, each once, until none is left', () => {
    const { journal, workerId } = planned('a', 'b')
    const names = [1, 2, 3].map(() => {
      const { answer } = claim(journal, workerId)
      return answer.kind === 'claimed' ? `${answer.run.name} ${answer.attempt}` : answer.kind
    })
    expect(names).toEqual(['a 1', 'b 1', 'none'])
    expect(states(journal)).toEqual({ a: 'running', b: 'running' })
  })

  it('gives two processes different runs', () => {
    const { journal, workerId } = planned('a', 'b')
    const other = openJournal(journal.file)
    const [first, second] = [claim(journal, workerId), claim(other.journal, other.workerId)]
    expect([first, second].map(({ answer }) => answer.kind === 'claimed' && answer.run.name)).toEqual(['a', 'b'])
  })

  it('skips runs that are backing off until their time has come', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId)
    settle(journal, token, 'failed', { decide: history => ({ ...finished(history), state: 'ready', readyAt: 500 }) })
    expect(claim(journal, workerId, { elapsed: 499 }).answer.kind).toBe('none')
    expect(claim(journal, workerId, { elapsed: 500 }).answer).toMatchObject({ kind: 'claimed', attempt: 2 })
  })

  it('prefers the longest due retries to runs that were never tried', () => {
    const { journal, workerId } = planned('fresh', 'due', 'longer due', 'not due')
    const readyAt = { due: 60, 'longer due': 50, 'not due': 101 }
    for (const [name, at] of Object.entries(readyAt))
      journal.run('UPDATE runs SET ready_at = ? WHERE name = ?', at, name)
    const names = [1, 2, 3, 4].map(() => {
      const { answer } = claim(journal, workerId, { elapsed: 100 })
      return answer.kind === 'claimed' ? answer.run.name : answer.kind
    })
    expect(names).toEqual(['longer due', 'due', 'fresh', 'none'])
  })

  it('does not scan 50,000 runs that are backing off', () => {
    const { journal, workerId } = planned('last')
    journal.run(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 50000)
       INSERT INTO runs (key, name, spec, why, generation, position, state, ready_at)
       SELECT 'k' || n, 'r' || n, spec, why, generation, -n, 'ready', 1000 + n FROM n, runs`,
    )
    const get = vi.spyOn(journal, 'get')
    expect(claim(journal, workerId).answer).toMatchObject({ kind: 'claimed', run: { name: 'last' } })
    const queries = get.mock.calls.filter(([, sql]) => sql.includes('FROM runs'))
    const plans = queries.map(([, sql, ...values]) =>
      journal.all({ detail: text }, `EXPLAIN QUERY PLAN ${sql}`, ...values),
    )
    expect(plans.flat().map(({ detail }) => detail)).toEqual([
      'SEARCH runs USING INDEX runs_next (generation=? AND ready_at>? AND ready_at<?)',
      'SEARCH runs USING INDEX runs_next (generation=? AND ready_at=?)',
    ])
  })

  it.each(['pause', 'stop', 'stop_now'] as const)('is blocked by %s', control => {
    const { journal, workerId } = planned('a')
    setControl(journal, control)
    expect(claim(journal, workerId).answer.kind).toBe('held')
    setControl(journal, 'go')
    expect(claim(journal, workerId).answer.kind).toBe('claimed')
  })

  it('is blocked for a worker of an earlier definition', () => {
    const { journal, workerId } = planned('a')
    define(journal, 'second')
    expect(claim(journal, workerId).answer.kind).toBe('held')
    expect(claim(journal, workerId, { fingerprint: 'second' }).answer.kind).toBe('claimed')
  })

  it('is blocked for a worker that another took for dead', () => {
    const { journal, workerId } = planned('a')
    const other = joinAgain(journal)
    takeOver(journal, { id: workerId, countsProcessesAlike: true }, other, 100)
    expect(claim(journal, workerId).answer.kind).toBe('held')
    expect(claim(journal, other).answer.kind).toBe('claimed')
  })

  it('keeps spent, reserved and requested amounts within the budget together', () => {
    const { journal, workerId } = planned('a', 'b', 'c', 'd')
    const budget = { capOf: () => 0.1, budgetUsd: 0.3 }
    const first = claim(journal, workerId, budget)
    for (let n = 0; n < 2; n++) expect(claim(journal, workerId, budget).answer.kind).toBe('claimed')
    expect(claim(journal, workerId, budget).answer.kind).toBe('budget')
    settle(journal, first.token, 'completed', { cost_usd: 0 })
    expect(claim(journal, workerId, budget).answer.kind).toBe('claimed')
    expect(money(journal)?.reserved_usd).toBeCloseTo(0.3)
  })
})

describe('settling', () => {
  it('stores outcome, metrics and series, and finishes the run', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId)
    settle(journal, token, 'completed', {
      metrics: [
        { metric: 'loss', value: 0.5 },
        { metric: 'gone', problem: 'the file is not there' },
      ],
      series: [{ metric: 'loss', steps: [1, 2], values: [0.7, 0.5] }],
    })
    expect(states(journal)).toEqual({ a: 'completed' })
    expect(journal.all(anyColumns, 'SELECT name, value, problem FROM metrics ORDER BY name')).toEqual([
      { name: 'gone', value: null, problem: 'the file is not there' },
      { name: 'loss', value: 0.5, problem: null },
    ])
    expect(journal.all(anyColumns, 'SELECT name, steps, points FROM series')).toEqual([
      { name: 'loss', steps: '[1,2]', points: '[0.7,0.5]' },
    ])
  })

  it('uses the time of arrival, or the known earlier end', () => {
    const { journal, workerId } = planned('a', 'b')
    settle(journal, claim(journal, workerId).token)
    const { token } = claim(journal, workerId)
    const result = completed({ token, mode: 'run' }, { place: 'runs/b' })
    settleAttempt(journal, result, workerId, finished, 500, 321.6)
    expect(journal.all(anyColumns, 'SELECT started_at, ended_at, place FROM attempts')).toEqual([
      { started_at: 100, ended_at: 200, place: null },
      { started_at: 100, ended_at: 322, place: 'runs/b' },
    ])
  })

  it('keeps a late result of a replaced attempt, of which only the cost counts', () => {
    const { journal, workerId } = planned('a')
    const late = claim(journal, workerId, { capOf: () => 1, budgetUsd: 9 })
    journal.run(`UPDATE runs SET state = 'ready'`)
    const current = claim(journal, workerId, { capOf: () => 1, budgetUsd: 9 })
    expect(settle(journal, late.token, 'failed', { cost_usd: 0.75 })).toBe('superseded')
    expect(states(journal)).toEqual({ a: 'running' })
    settle(journal, current.token, 'completed', { cost_usd: 0.25 })
    expect(states(journal)).toEqual({ a: 'completed' })
    expect(money(journal)).toEqual({ spent_usd: 1, reserved_usd: 0, overrun_usd: 0 })
  })

  it('a run that exceeds the budget does not block a free one', () => {
    const { journal, workerId } = planned('dear', 'free')
    const capOf = ({ name }: Run) => (name.startsWith('free') ? 0 : 2)
    expect(claim(journal, workerId, { capOf, budgetUsd: 1 }).answer).toMatchObject({ kind: 'claimed', capUsd: 0 })
    expect(claim(journal, workerId, { capOf, budgetUsd: 1 }).answer).toEqual({ kind: 'budget' })
    expect(states(journal)).toEqual({ dear: 'ready', free: 'running' })
  })

  it('is idempotent', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, { capOf: () => 1, budgetUsd: 9 })
    settle(journal, token, 'completed', { cost_usd: 0.5 })
    expect(settle(journal, token, 'failed', { cost_usd: 0.5 })).toBe('superseded')
    expect(states(journal)).toEqual({ a: 'completed' })
    expect(money(journal)).toMatchObject({ spent_usd: 0.5 })
  })

  it('rejects a result of an unknown attempt', () => {
    expect(settle(planned('a').journal, 'no such token')).toBe('unknown')
  })
})

describe('taking over', () => {
  it('gives the attempts of a dead worker to only one of several', () => {
    const { journal, workerId } = planned('a', 'b')
    const { token } = claim(journal, workerId)
    const [one, two] = [joinAgain(journal), joinAgain(journal)]
    expect(
      takeOver(journal, { id: workerId, countsProcessesAlike: true }, one, 300).map(attempt => attempt.token),
    ).toEqual([token])
    expect(takeOver(journal, { id: workerId, countsProcessesAlike: true }, two, 300)).toEqual([])
  })

  it('ignores a result of the old owner; the new one makes the run ready again', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId)
    const adopter = joinAgain(journal)
    takeOver(journal, { id: workerId, countsProcessesAlike: true }, adopter, 300)
    expect(heartbeat(journal, workerId, 1, { now: 300, elapsed: 300 })).toBe(false)
    expect(heartbeat(journal, adopter, 1, { now: 300, elapsed: 300 })).toBe(true)

    expect(settle(journal, token, 'completed', { worker: workerId, cost_usd: 0.5 })).toBe('superseded')
    expect(states(journal)).toEqual({ a: 'running' })
    settle(journal, token, 'cancelled', {
      worker: adopter,
      decide: history => ({ ...finished(history), state: 'ready' }),
    })
    expect(states(journal)).toEqual({ a: 'ready' })
    expect(claim(journal, adopter).answer).toMatchObject({ kind: 'claimed', attempt: 2 })
    expect(money(journal)).toMatchObject({ spent_usd: 0.5 })
  })

  it('frees the planning right of the dead worker', () => {
    const { journal, workerId } = planned('a')
    const other = joinAgain(journal)
    expect(takePlannerLease(journal, workerId)).toBe(true)
    expect(takePlannerLease(journal, other)).toBe(false)
    takeOver(journal, { id: workerId, countsProcessesAlike: true }, other, 300)
    expect(takePlannerLease(journal, other)).toBe(true)
  })
})
