import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/define/outcome.ts'
import { standing } from '../../../src/record/read/standing.ts'
import {
  keepStale,
  reopenAll,
  reopenCut,
  reopenOutcomes,
  reopenQuarantined,
  reopenRun,
  reopenStale,
  reopenTimedOut,
  staleRuns,
} from '../../../src/record/runs/reopen.ts'
import { claim, define, finished, plan, planned, settle, states } from '../support.ts'

/** Runs named after how they ended. */
function ended(...kinds: readonly Parameters<typeof settle>[2][]) {
  const opened = planned(...kinds.map(String))
  for (const kind of kinds) settle(opened.journal, claim(opened.journal, opened.workerId).token, kind)
  return opened
}

const order = (journal: ReturnType<typeof planned>['journal']) =>
  journal
    .all<{ name: string }>(
      'SELECT name FROM runs WHERE generation = (SELECT generation FROM experiment) ORDER BY position',
    )
    .map(run => run.name)

describe('a new generation', () => {
  it('takes along the runs that are still wanted, in the new order, and leaves the others out', () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    settle(journal, claim(journal, workerId).token)
    plan(journal, workerId, ['d', 'c', 'a'])
    expect(order(journal)).toEqual(['c', 'a', 'd'])
    expect(standing(journal, '')).toMatchObject({ planned: 3, completed: 1, pending: 2 })
    expect(states(journal)).toEqual({ a: 'completed', b: 'ready', c: 'ready', d: 'ready' })
  })

  it('brings back a run that was left out, with its result', () => {
    const { journal, workerId } = planned('a', 'b')
    settle(journal, claim(journal, workerId).token)
    plan(journal, workerId, ['b'])
    expect(standing(journal, '')).toMatchObject({ planned: 1, completed: 0, pending: 1 })
    plan(journal, workerId, ['a', 'b'])
    expect(standing(journal, '')).toMatchObject({ planned: 2, completed: 1, pending: 1 })
  })
})

describe('running again', () => {
  it('what ended in certain ways', () => {
    const { journal } = ended('completed', 'failed', 'cancelled', 'infra_error')
    expect(reopenOutcomes(journal, ['cancelled', 'infra_error'])).toBe(2)
    expect(states(journal)).toEqual({
      completed: 'completed',
      failed: 'failed',
      cancelled: 'ready',
      infra_error: 'ready',
    })
    expect(reopenOutcomes(journal, [])).toBe(0)
  })

  it('what a limit cut, only when that limit is higher now or gone', () => {
    const { journal, workerId } = planned('a')
    const cut = () => {
      const decide = (history: Parameters<typeof finished>[0]) => ({ ...finished(history), cut_at: 1000 })
      settle(journal, claim(journal, workerId).token, 'timed_out', { decide })
    }
    cut()
    expect([500, 1000].map(limit => reopenTimedOut(journal, limit))).toEqual([0, 0])
    expect(reopenCut(journal, 'run_budget_usd', () => 2000)).toBe(0)
    expect(reopenTimedOut(journal, 1001)).toBe(1)
    cut()
    expect(reopenTimedOut(journal, null)).toBe(1)
  })

  it('what a limit on calls cut, only when that very limit is higher now or gone', () => {
    const { journal, workerId } = planned('a')
    const cut = (outcome: Outcome) => {
      const decide = (history: Parameters<typeof finished>[0]) => ({ ...finished(history), cut_at: 10 })
      settle(journal, claim(journal, workerId).token, 'cost_limited', { outcome, decide })
    }
    cut({ kind: 'cost_limited', limit: 'run_calls', limit_at: 10 })
    expect(reopenCut(journal, 'run_budget_usd', () => 20)).toBe(0)
    expect(reopenCut(journal, 'run_calls', () => 10)).toBe(0)
    expect(reopenCut(journal, 'run_calls', () => 11)).toBe(1)
    cut({ kind: 'cost_limited' })
    expect(reopenCut(journal, 'run_calls', () => null)).toBe(0)
    expect(reopenCut(journal, 'run_budget_usd', () => null)).toBe(1)
  })

  it('what is quarantined; one run; or everything; never what is running', () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    settle(journal, claim(journal, workerId).token, 'failed', {
      decide: history => ({ ...finished(history), state: 'quarantined' }),
    })
    settle(journal, claim(journal, workerId).token)
    claim(journal, workerId)
    expect(states(journal)).toEqual({ a: 'quarantined', b: 'completed', c: 'running' })
    expect(reopenQuarantined(journal)).toBe(1)
    expect([2, 3].map(id => reopenRun(journal, id))).toEqual([true, false])
    expect(reopenAll(journal)).toBe(2)
    expect(states(journal)).toEqual({ a: 'ready', b: 'ready', c: 'running' })
  })

  it('starts with fresh retries', () => {
    const { journal, workerId } = planned('a')
    settle(journal, claim(journal, workerId).token, 'failed', {
      decide: history => ({ ...finished(history), retries: { failed: 2 }, failure: 'failed:7', failures: 2 }),
    })
    reopenOutcomes(journal, ['failed'])
    expect(journal.get('SELECT retries, failure, failures FROM runs')).toEqual({
      retries: '{}',
      failure: null,
      failures: 0,
    })
  })
})

describe('runs of an earlier definition', () => {
  it('are stale, whether they completed or failed; what was cut off is not', () => {
    const { journal } = ended('completed', 'failed', 'cancelled')
    expect(staleRuns(journal)).toEqual({ count: 0, fingerprint: null })
    define(journal, 'second')
    expect(staleRuns(journal)).toEqual({ count: 2, fingerprint: 'first' })
    expect(standing(journal, '')).toMatchObject({ stale: 2, completed: 0, failed: 0, cancelled: 1 })
  })

  it('are good again when the definition is taken back', () => {
    const { journal } = ended('completed')
    define(journal, 'second')
    define(journal, 'first')
    expect(standing(journal, '')).toMatchObject({ stale: 0, completed: 1 })
  })

  it('run again, or are accepted and then stay accepted; their attempts keep the truth', () => {
    const again = ended('completed').journal
    define(again, 'second')
    expect(reopenStale(again)).toBe(1)
    expect(states(again)).toEqual({ completed: 'ready' })

    const kept = ended('completed').journal
    define(kept, 'second')
    expect(keepStale(kept)).toBe(1)
    expect(standing(kept, '')).toMatchObject({ stale: 0, completed: 1 })
    expect(kept.get('SELECT fingerprint FROM attempts')).toEqual({ fingerprint: 'first' })
  })
})
