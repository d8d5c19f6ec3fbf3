import { describe, expect, it } from 'vitest'
import { anyColumns, number, text } from '../../../src/record/journal/columns.ts'
import { recordedRuns } from '../../../src/record/read/observations.ts'
import { bookCalls, fitsBudget, reserveRunning, writeUnbooked } from '../../../src/record/runs/ledger.ts'
import { takeOver } from '../../../src/record/runs/workers.ts'
import { claim, finished, joinAgain, money, planned, settle } from '../support.ts'

const budget = { capOf: () => 1, budgetUsd: 10 }
const book = (journal: ReturnType<typeof planned>['journal']) =>
  journal
    .all({ kind: text, usd: number }, 'SELECT kind, usd FROM ledger ORDER BY id')
    .map(row => `${row.kind} ${row.usd}`)

describe('the ledger', () => {
  it('reserves, releases, and charges the real cost', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, budget)
    expect(money(journal)).toEqual({ spent_usd: 0, reserved_usd: 1, overrun_usd: 0 })
    settle(journal, token, 'completed', { cost_usd: 0.25 })
    expect(money(journal)).toEqual({ spent_usd: 0.25, reserved_usd: 0, overrun_usd: 0 })
    expect(book(journal)).toEqual(['reserve 1', 'release 1', 'charge 0.25'])
  })

  it('charges an unknown cost at its whole reservation, marked as assumed', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, budget)
    expect(settle(journal, token, 'cancelled')).toMatchObject({ cost_usd: 1, assumed: true })
    expect(book(journal)).toEqual(['reserve 1', 'release 1', 'assumed 1'])
  })

  it('keeps an unknown cost unknown without a reservation', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId)
    expect(settle(journal, token)).toMatchObject({ cost_usd: null, assumed: false })
    expect(book(journal)).toEqual([])
  })

  it('counts spending above the cap as an overrun', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, budget)
    settle(journal, token, 'cost_limited', { cost_usd: 1.5 })
    expect(money(journal)).toEqual({ spent_usd: 1.5, reserved_usd: 0, overrun_usd: 0.5 })
  })

  it('reserves once for running attempts when a budget is set later', () => {
    const { journal, workerId } = planned('a', 'b')
    const { token } = claim(journal, workerId, { capOf: () => 2 })
    claim(journal, workerId)
    reserveRunning(journal, () => 3, 150)
    reserveRunning(journal, () => 3, 160)
    expect(money(journal)).toMatchObject({ reserved_usd: 5 })
    expect(settle(journal, token, 'completed', { cost_usd: 0.5 })).toMatchObject({ cost_usd: 0.5 })
    expect(money(journal)).toEqual({ spent_usd: 0.5, reserved_usd: 3, overrun_usd: 0 })
  })
})

describe('an unknown cost', () => {
  it('that is partly known is at least that part, and at least the reservation', () => {
    const more = planned('a')
    const above = claim(more.journal, more.workerId, budget)
    expect(settle(more.journal, above.token, 'cancelled', { cost_at_least_usd: 3 })).toMatchObject({ cost_usd: 3 })
    expect(book(more.journal)).toEqual(['reserve 1', 'release 1', 'assumed 3'])
    expect(money(more.journal)).toEqual({ spent_usd: 3, reserved_usd: 0, overrun_usd: 2 })

    const less = planned('a')
    const below = claim(less.journal, less.workerId, budget)
    expect(settle(less.journal, below.token, 'cancelled', { cost_at_least_usd: 0.4 })).toMatchObject({ cost_usd: 1 })
  })

  it('that is partly known is booked without a budget, too', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId)
    settle(journal, token, 'cancelled', { cost_at_least_usd: 0.4 })
    expect(book(journal)).toEqual(['assumed 0.4'])
    expect(money(journal)).toMatchObject({ spent_usd: 0.4 })
  })
})

describe('an attempt that pays per call', () => {
  const calls = (n: number, usd: number, unpriced = 0) => ({ calls: n, tokens: 10 * n, usd, unpriced })
  const booked = (usd: number, isUnknown = false) => ({
    releaseUsd: null,
    lines: [{ kind: 'charge' as const, purpose: null, model: 'm', calls: 1, usd, overrunUsd: 0, tokens: null }],
    calls: 1,
    tokens: 10,
    isUnknown,
  })
  const byCall = { paysByCall: () => true }
  const ready = { decide: (past: Parameters<typeof finished>[0]) => ({ ...finished(past), state: 'ready' as const }) }
  const lose = { ...ready, outcome: { kind: 'cancelled' as const, error_class: 'lost' } }

  /** Claims a run, and records the calls sent. */
  function sent(limits: Parameters<typeof claim>[2], ...unbooked: Parameters<typeof calls>) {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, { ...byCall, ...limits })
    writeUnbooked(journal, { token, workerId }, calls(...unbooked))
    return { journal, workerId, token, again: () => claim(journal, workerId, { ...byCall, ...limits }).answer }
  }

  it('and is killed has cost the booked amount plus the bound of the rest, which counts for its cap', () => {
    const { journal, workerId, token, again } = sent({ capOf: () => 1 }, 2, 0.3)
    bookCalls(journal, { token, workerId }, booked(0.1), calls(1, 0.2), 110)
    expect(settle(journal, token, 'cancelled', lose)).toMatchObject({ cost_usd: expect.closeTo(0.3), assumed: true })
    expect(book(journal)).toEqual(['charge 0.1', `assumed ${0.1 + 0.2 - 0.1}`])
    expect(again()).toMatchObject({ spent: { usd: expect.closeTo(0.3), calls: 2, tokens: 20 } })
  })

  it('and is killed before its first call has a known cost of 0', () => {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, { ...byCall, capOf: () => 1 })
    expect(settle(journal, token, 'cancelled', lose)).toMatchObject({ cost_usd: 0, assumed: false })
  })

  it('and is killed leaves the rest of its reservation to others', () => {
    const { journal, token } = sent(budget, 1, 0.2)
    settle(journal, token, 'cancelled', lose)
    expect(money(journal)).toEqual({ spent_usd: 0.2, reserved_usd: 0, overrun_usd: 0 })
  })

  it('is charged its whole reservation if the machine stopped, because unflushed calls may be lost', () => {
    const { journal, workerId, token } = sent(budget, 1, 0.2)
    journal.run("UPDATE workers SET boot_id = 'an earlier one'")
    const adopter = joinAgain(journal)
    takeOver(journal, { id: workerId, countsProcessesAlike: true }, adopter, 150)
    settle(journal, token, 'cancelled', { ...lose, worker: adopter })
    expect(money(journal)).toMatchObject({ spent_usd: 1, reserved_usd: 0 })
  })

  it('has an unknown cost if one of its models has no price', () => {
    const { journal, workerId, token } = sent({}, 2, 0.1, 1)
    bookCalls(journal, { token, workerId }, booked(0.1, true), calls(0, 0), 110)
    expect(settle(journal, token, 'completed', { cost_at_least_usd: 0.1 })).toMatchObject({ cost_usd: null })
    expect(money(journal)).toMatchObject({ spent_usd: 0.1 })
    expect([...recordedRuns(journal)]).toMatchObject([{ cost_usd: null, cost_assumed: false }])
  })

  it('keeps an unknown cost unknown although a later attempt’s cost is known', () => {
    const { journal, token, again } = sent({}, 1, 0, 1)
    settle(journal, token, 'cancelled', { ...lose, cost_at_least_usd: 0.1 })
    again()
    const { token: second } = journal.get({ token: text }, 'SELECT token FROM runs') ?? { token: '' }
    settle(journal, second, 'completed', { cost_usd: 0.5, metrics: [{ metric: 'cost_usd', value: 0.5 }] })
    const [record] = [...recordedRuns(journal)]
    expect(record).toMatchObject({ cost_usd: null, metrics: {} })
    expect(record?.problems).toEqual({ cost_usd: 'the cost of an earlier attempt of the run is unknown' })
  })
})

describe('the cost of an attempt that another worker took over', () => {
  /** Its reservation is 1. */
  function takenOver() {
    const { journal, workerId } = planned('a')
    const { token } = claim(journal, workerId, budget)
    const adopter = joinAgain(journal)
    takeOver(journal, { id: workerId, countsProcessesAlike: true }, adopter, 150)
    return {
      journal,
      lose: () =>
        settle(journal, token, 'cancelled', {
          worker: adopter,
          decide: past => ({ ...finished(past), state: 'ready' }),
        }),
      settleLate: (cost_usd: number) => settle(journal, token, 'completed', { worker: workerId, cost_usd }),
      attempt: () => journal.get(anyColumns, 'SELECT cost_usd, cost_assumed FROM attempts'),
    }
  }

  it('arrives late: the assumed amount is not booked twice', () => {
    const e = takenOver()
    e.lose()
    expect(e.settleLate(7.5)).toBe('superseded')
    expect(book(e.journal)).toEqual(['reserve 1', 'release 1', 'assumed 1', 'charge 6.5'])
    expect(money(e.journal)).toEqual({ spent_usd: 7.5, reserved_usd: 0, overrun_usd: 6.5 })
    expect(e.attempt()).toEqual({ cost_usd: 7.5, cost_assumed: 0 })
  })

  it('arrives before the attempt is given up: nothing more is assumed', () => {
    const e = takenOver()
    e.settleLate(7.5)
    e.lose()
    expect(book(e.journal)).toEqual(['reserve 1', 'charge 7.5', 'release 1'])
    expect(money(e.journal)).toEqual({ spent_usd: 7.5, reserved_usd: 0, overrun_usd: 6.5 })
    expect(e.attempt()).toEqual({ cost_usd: 7.5, cost_assumed: 0 })
  })

  it('is less than assumed: the assumed amount stays, to be safe', () => {
    const e = takenOver()
    e.lose()
    e.settleLate(0.25)
    expect(money(e.journal)).toEqual({ spent_usd: 1, reserved_usd: 0, overrun_usd: 0 })
    expect(e.attempt()).toEqual({ cost_usd: 1, cost_assumed: 1 })
  })
})

it('a budget of 1 has room for ten times 0.1, despite rounding', () => {
  let spent_usd = 0
  for (let n = 0; n < 10; n++) {
    expect(fitsBudget({ spent_usd, reserved_usd: 0 }, 0.1, 1)).toBe(true)
    spent_usd += 0.1
  }
  expect(fitsBudget({ spent_usd, reserved_usd: 0 }, 0.1, 1)).toBe(false)
})
