import { describe, expect, it } from 'vitest'
import { anyColumns, text } from '../../../src/record/journal/columns.ts'
import { endedStandings, standing } from '../../../src/record/read/standing.ts'
import { endWaits, keepStale, reopenAll, reopenRuns } from '../../../src/record/runs/settle.ts'
import { claim, define, finished, plan, planned, settle, states } from '../support.ts'

/** Runs named after how they ended. */
function ended(...kinds: readonly Parameters<typeof settle>[2][]) {
  const opened = planned(...kinds.map(String))
  for (const kind of kinds) settle(opened.journal, claim(opened.journal, opened.workerId).token, kind)
  return opened
}

const order = (journal: ReturnType<typeof planned>['journal']) =>
  journal
    .all(
      { name: text },
      'SELECT name FROM runs WHERE generation = (SELECT generation FROM experiment) ORDER BY position',
    )
    .map(run => run.name)

describe('a new generation', () => {
  it('keeps selected runs, in the new order, and leaves out the others', () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    settle(journal, claim(journal, workerId).token)
    plan(journal, workerId, ['d', 'c', 'a'])
    expect(order(journal)).toEqual(['c', 'a', 'd'])
    expect(standing(journal, '')).toMatchObject({ planned: 3, completed: 1, pending: 2 })
    expect(states(journal)).toEqual({ a: 'completed', b: 'ready', c: 'ready', d: 'ready' })
  })

  it('brings back an omitted run with its result', () => {
    const { journal, workerId } = planned('a', 'b')
    settle(journal, claim(journal, workerId).token)
    plan(journal, workerId, ['b'])
    expect(standing(journal, '')).toMatchObject({ planned: 1, completed: 0, pending: 1 })
    plan(journal, workerId, ['a', 'b'])
    expect(standing(journal, '')).toMatchObject({ planned: 2, completed: 1, pending: 1 })
  })
})

describe('running again', () => {
  it('applies to named runs, but never to a running one or one of another plan', () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    settle(journal, claim(journal, workerId).token, 'failed', {
      decide: history => ({ ...finished(history), state: 'quarantined' }),
    })
    settle(journal, claim(journal, workerId).token)
    claim(journal, workerId)
    expect(states(journal)).toEqual({ a: 'quarantined', b: 'completed', c: 'running' })
    expect([[1], [3], []].map(ids => reopenRuns(journal, ids, 'go_on'))).toEqual([1, 0, 0])
    expect(reopenAll(journal)).toBe(2)
    expect(states(journal)).toEqual({ a: 'ready', b: 'ready', c: 'running' })
    plan(journal, workerId, ['b'])
    expect(reopenRuns(journal, [1, 2], 'anew')).toBe(1)
  })

  it.each([
    ['interrupted', { failure: 'failed:7', failures: 2, cost_usd: 3, continues: 1, counts_from: 1 }],
    ['go_on', { failure: null, failures: 0, cost_usd: 3, continues: 1, counts_from: 1 }],
    ['anew', { failure: null, failures: 0, cost_usd: 0, continues: null, counts_from: 2 }],
  ] as const)('%s: has fresh retries, and what it keeps', (how, kept) => {
    const { journal, workerId } = planned('a')
    settle(journal, claim(journal, workerId).token, 'failed', {
      cost_usd: 3,
      decide: history => ({ ...finished(history), retries: { failed: 2 }, failure: 'failed:7', failures: 2 }),
    })
    reopenRuns(journal, [1], how)
    expect(
      journal.get(anyColumns, 'SELECT state, retries, failure, failures, cost_usd, continues, counts_from FROM runs'),
    ).toEqual({
      ...{ state: 'ready', retries: '{}' },
      ...kept,
    })
  })

  it('starts at once a run that was backing off for an earlier call', () => {
    const { journal, workerId } = planned('a')
    settle(journal, claim(journal, workerId).token, 'failed', {
      decide: history => ({ ...finished(history), state: 'ready', readyAt: 1_000_000 }),
    })
    expect(claim(journal, workerId).answer.kind).toBe('none')
    endWaits(journal)
    expect(claim(journal, workerId).answer.kind).toBe('claimed')
  })
})

describe('runs of an earlier definition', () => {
  const standings = (journal: ReturnType<typeof planned>['journal']) =>
    endedStandings(journal).map(({ name, state, ended }) => `${name}: ${state} (${ended})`)

  it('are stale if they completed or failed, but not if interrupted', () => {
    const { journal } = ended('completed', 'failed', 'cancelled')
    // Runs completed by the current definition are not even read.
    expect(standings(journal)).toEqual(['failed: failed (failed)', 'cancelled: cancelled (cancelled)'])
    define(journal, 'second')
    expect(standings(journal)).toEqual([
      'completed: stale (completed)',
      'failed: stale (failed)',
      'cancelled: cancelled (cancelled)',
    ])
    expect(standing(journal, '')).toMatchObject({ stale: 2, completed: 0, failed: 0, cancelled: 1 })
  })

  it('are valid again when the definition is reverted', () => {
    const { journal } = ended('completed')
    define(journal, 'second')
    define(journal, 'first')
    expect(standing(journal, '')).toMatchObject({ stale: 0, completed: 1 })
  })

  it('stay accepted once accepted; their attempts keep the original definition', () => {
    const kept = ended('completed').journal
    define(kept, 'second')
    expect(keepStale(kept)).toBe(1)
    expect(standing(kept, '')).toMatchObject({ stale: 0, completed: 1 })
    expect(kept.get(anyColumns, 'SELECT fingerprint FROM attempts')).toEqual({ fingerprint: 'first' })
  })
})
