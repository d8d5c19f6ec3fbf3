import { describe, expect, it } from 'vitest'
import type { LimitReached } from '../../../src/define/permits.ts'
import { anyColumns, number, text } from '../../../src/record/journal/columns.ts'
import { joinAgain, money, planned } from '../../record/support.ts'
import { Asking, ask, askOf, openOffice, served, took } from './office.ts'

const book = (journal: ReturnType<typeof planned>['journal']) =>
  journal
    .all({ kind: text, usd: number }, 'SELECT kind, usd FROM ledger ORDER BY id')
    .map(row => `${row.kind} ${Number(row.usd.toPrecision(6))}`)

const opened = (...[limits]: [Parameters<typeof openOffice>[2]?]) => {
  const { journal, workerId } = planned('a', 'b', 'c')
  return { journal, workerId, ...openOffice(journal, workerId, limits) }
}

const refusalOf = (asking: Asking): LimitReached => asking.error as LimitReached

describe('a journal whose writes fail', () => {
  const refuse = 'CREATE TRIGGER refuse BEFORE INSERT ON ledger WHEN new.kind = '

  it('keeps no trace of a call that was never sent', async () => {
    const { start, journal } = opened({ budget_usd: 10, run_calls: 1 })
    const [first, second] = [start(), start()]
    // The second of the two does not fit on the disk, so that neither is written.
    journal.run(`${refuse}'reserve' AND (SELECT count(*) FROM ledger WHERE kind = 'reserve') > 0
      BEGIN SELECT RAISE(ABORT, 'no room'); END`)
    const refused = [new Asking(first.permits), new Asking(second.permits)]
    await served()
    expect(refused.map(one => one.state)).toEqual(['refused', 'refused'])
    journal.run('DROP TRIGGER refuse')
    expect((await ask(first.permits)).state).toBe('has it')
    expect((await ask(second.permits)).state).toBe('has it')
  })

  it('books a call once, even if a listener fails', async () => {
    const { start, journal, clock, decided } = opened({ budget_usd: 10 })
    const { permits } = start()
    const call = await ask(permits)
    decided.push = () => {
      throw new Error('a listener failed')
    }
    if (call.permit !== null) permits.settle(call.permit, took(0.05, { rate_limited: { retry_after_ms: 10 } }))
    clock.pass(1001)
    await served()
    clock.pass(1001)
    await served()
    expect(book(journal).filter(line => line === 'charge 0.05')).toHaveLength(1)
  })

  it('receives costs of calls later', async () => {
    const { start, journal, clock } = opened({ budget_usd: 10 })
    const { permits } = start()
    const call = await ask(permits)
    journal.run(`${refuse}'charge' BEGIN SELECT RAISE(ABORT, 'no room'); END`)
    if (call.permit !== null) permits.settle(call.permit, took(0.05))
    clock.pass(1001)
    await served()
    expect(book(journal)).not.toContain('charge 0.05')
    journal.run('DROP TRIGGER refuse')
    clock.pass(1001)
    await served()
    expect(book(journal)).toContain('charge 0.05')
  })
})

describe("a run's own limits", () => {
  it('run_calls: allows exactly that many calls, also at once', async () => {
    const { start } = opened({ run_calls: 2 })
    const { permits } = start()
    const asked = [new Asking(permits), new Asking(permits), new Asking(permits)]
    await served()
    expect(asked.map(one => one.state)).toEqual(['has it', 'has it', 'refused'])
    expect(refusalOf(asked[2] as Asking)).toMatchObject({ limit: 'run_calls', at: 2 })
    const other = start()
    expect((await ask(other.permits)).state).toBe('has it')
  })

  it('run_calls: calls refused by the provider do not count', async () => {
    const { start, clock } = opened({ run_calls: 1 })
    const { permits } = start()
    const first = await ask(permits)
    if (first.permit !== null) permits.settle(first.permit, took(0, { rate_limited: { retry_after_ms: 10 } }))
    clock.pass(100)
    const again = new Asking(permits)
    await served()
    clock.pass(2000)
    await served()
    expect(again.state).toBe('has it')
  })

  it('run_tokens: waits while calls in progress may use less than reserved', async () => {
    const { start } = opened({ run_tokens: 250 })
    const { permits } = start()
    const first = await ask(permits, { tokens: 200 })
    const second = await ask(permits, { tokens: 200 })
    expect(second.state).toBe('waits')
    if (first.permit !== null) permits.settle(first.permit, took(0, { tokens: 40 }))
    await served()
    expect(second.state).toBe('has it')
    if (second.permit !== null) permits.settle(second.permit, took(0, { tokens: 200 }))
    expect(refusalOf(await ask(permits, { tokens: 11 }))).toMatchObject({
      limit: 'run_tokens',
      at: 250,
      message: 'another call of sim/m may take 11 tokens, and the run has used 240 of its 250 (run_tokens)',
    })
  })

  it('run_budget_usd: covered by the run’s reservation; nothing is written before a call', async () => {
    const { start, journal } = opened({ budget_usd: 1 })
    const { permits } = start(0.3)
    const first = await ask(permits)
    const second = await ask(permits)
    expect(book(journal)).toEqual(['reserve 0.3'])
    for (const { permit } of [first, second]) if (permit !== null) permits.settle(permit, took(0.1))
    expect((await ask(permits)).state).toBe('has it')
    expect(refusalOf(await ask(permits, { usd: 0.2 }))).toMatchObject({
      limit: 'run_budget_usd',
      at: 0.3,
      message: 'another call of sim/m may cost $0.20, and the run has spent $0.20 of its $0.30 (run_budget_usd)',
    })
  })

  it('refuses a model without a price only if money is limited', async () => {
    const capped = opened({})
    const refused = refusalOf(await ask(capped.start(0.3).permits, { usd: null }))
    expect(refused).toMatchObject({ limit: 'unknown_price', at: null })
    const free = opened({ run_calls: 5 })
    expect((await ask(free.start().permits, { usd: null })).state).toBe('has it')
    const budget = opened({ budget_usd: 5 })
    expect(refusalOf(await ask(budget.start().permits, { usd: null })).message).toBe(
      "the price of sim/m is unknown, so budget_usd: 5 can't be enforced; give it a price under models, or remove the limit",
    )
  })
})

describe("the experiment's budget, call by call", () => {
  it('reserves the bound before the call, and books the real cost afterwards', async () => {
    const { start, journal, clock } = opened({ budget_usd: 1 })
    const { permits } = start()
    const asking = await ask(permits, { usd: 0.4 })
    expect(money(journal)).toEqual({ spent_usd: 0, reserved_usd: 0.4, overrun_usd: 0 })
    if (asking.permit !== null) permits.settle(asking.permit, took(0.15))
    clock.pass(1000)
    expect(money(journal)).toEqual({ spent_usd: 0.15, reserved_usd: 0, overrun_usd: 0 })
    expect(book(journal)).toEqual(['reserve 0.4', 'release 0.4', 'charge 0.15'])
  })

  it('waits while calls in progress may free budget; otherwise refuses and stops', async () => {
    const { start, journal, stops, office } = opened({ budget_usd: 1 })
    const one = start()
    const other = start()
    const first = await ask(one.permits, { usd: 0.7 })
    const second = await ask(other.permits, { usd: 0.7 })
    expect([second.state, office.isShort]).toEqual(['waits', true])
    if (first.permit !== null) one.permits.settle(first.permit, took(0.2))
    await served()
    expect([second.state, office.isShort]).toEqual(['has it', false])
    if (second.permit !== null) other.permits.settle(second.permit, took(0.7))
    expect(refusalOf(await ask(one.permits, { usd: 0.2 }))).toMatchObject({ limit: 'budget_usd', at: 1 })
    expect(stops).toEqual([
      'the budget of $1.00 has no room for another call: sim/m may cost $0.20, its longest answer counted',
    ])
    expect(money(journal)?.spent_usd).toBeCloseTo(0.9)
    // Calls that still fit are sent.
    expect((await ask(one.permits, { usd: 0.1 })).state).toBe('has it')
  })

  it('charges the bound of a call of unknown cost, marked as assumed', async () => {
    const { start, journal, clock } = opened({ budget_usd: 1 })
    const { permits, token } = start()
    const asking = await ask(permits, { usd: 0.4 })
    if (asking.permit !== null) permits.settle(asking.permit, took(null))
    clock.pass(1000)
    expect(book(journal)).toEqual(['reserve 0.4', 'release 0.4', 'assumed 0.4'])
    expect(journal.get(anyColumns, 'SELECT cost_usd, cost_assumed FROM attempts WHERE token = ?', token)).toEqual({
      cost_usd: 0.4,
      cost_assumed: 1,
    })
  })

  it('also covers calls in progress when the budget was set', async () => {
    const { start, set, journal } = opened({})
    const { permits } = start()
    const before = await ask(permits, { usd: 0.7 })
    expect([before.state, money(journal)?.reserved_usd]).toEqual(['has it', 0])
    set({ budget_usd: 1 })
    await served()
    expect(money(journal)?.reserved_usd).toBeCloseTo(0.7)
    expect((await ask(permits, { usd: 0.4 })).state).toBe('waits')
  })

  it('uses one transaction for simultaneous requests', async () => {
    const { start, journal } = opened({ budget_usd: 100 })
    const { permits } = start()
    let transactions = 0
    const transaction = journal.transaction.bind(journal)
    journal.transaction = (work, options) => {
      transactions++
      return transaction(work, options)
    }
    const asked = Array.from({ length: 200 }, () => new Asking(permits, askOf({ usd: 0.01 })))
    await served()
    expect(asked.every(one => one.state === 'has it')).toBe(true)
    expect(transactions).toBe(1)
    expect(money(journal)?.reserved_usd).toBeCloseTo(2)
  })

  it('without budget and rates notes a call in one row, and books costs in batches', async () => {
    const { start, journal, clock } = opened({ run_calls: 1000 })
    const { permits } = start()
    const before = journal.get({ n: number }, 'SELECT total_changes() AS n')
    for (let call = 0; call < 20; call++) {
      const { permit } = await ask(permits, { usd: 0.01 })
      if (permit !== null) permits.settle(permit, took(0.01))
    }
    expect(journal.get(anyColumns, 'SELECT total_changes() AS n')).toEqual({ n: (before?.n ?? 0) + 20 })
    clock.pass(1000)
    expect(money(journal)?.spent_usd).toBeCloseTo(0.2)
    expect(book(journal)).toEqual(['charge 0.2'])
  })
})

describe('a call that waits', () => {
  it('is abandoned when its run is ended', async () => {
    const { start } = opened({ rate: { sim: { rpm: 1, tpm: null, concurrency: null } } })
    const { permits } = start()
    await ask(permits)
    const abort = new AbortController()
    const waiting = new Asking(permits, askOf(), abort.signal)
    await served()
    expect(waiting.state).toBe('waits')
    abort.abort({ kind: 'timed_out', message: 'too long' })
    await served()
    expect(waiting.error).toEqual({ kind: 'timed_out', message: 'too long' })
  })

  it('is refused if another process has taken over its run', async () => {
    const { start, journal } = opened({ budget_usd: 1 })
    const { permits, token } = start()
    journal.run('UPDATE attempts SET worker_id = ? WHERE token = ?', joinAgain(journal), token)
    const asking = await ask(permits)
    expect(String(asking.error)).toContain('another process considered this one dead')
  })
})

describe('rates', () => {
  const rpm = (requests: number) => ({ sim: { rpm: requests, tpm: null, concurrency: null } })

  it('apply to all runs and processes of the experiment', async () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    const one = openOffice(journal, workerId, { rate: rpm(3) })
    const other = openOffice(journal, workerId, { rate: rpm(3) }, one.clock)
    const first = one.start().permits
    const second = other.start().permits
    const asked = [first, first, second, second].map(permits => new Asking(permits))
    await served()
    expect(asked.filter(({ state }) => state === 'has it')).toHaveLength(3)
    one.clock.pass(61_000)
    await served()
    expect(asked.map(({ state }) => state)).toEqual(['has it', 'has it', 'has it', 'has it'])
  })

  it('are unaffected by setting the clock an hour back or ahead', async () => {
    for (const hours of [-1, 1]) {
      const { start, clock } = opened({ rate: rpm(1) })
      const { permits } = start()
      await ask(permits)
      const next = await ask(permits)
      clock.jump(hours * 3_600_000)
      clock.pass(59_000)
      await served()
      expect(next.state).toBe('waits')
      clock.pass(2_000)
      await served()
      expect(next.state).toBe('has it')
    }
  })

  it('are separate for each provider and key', async () => {
    const { start } = opened({ rate: rpm(1) })
    const { permits } = start()
    expect((await ask(permits)).state).toBe('has it')
    expect((await ask(permits)).state).toBe('waits')
    expect((await ask(permits, { key: 'k2' })).state).toBe('has it')
    expect((await ask(permits, { provider: 'other' })).state).toBe('has it')
  })

  it('cut concurrency after a complaint, report it, and apply to other processes from then on', async () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    const one = openOffice(journal, workerId)
    const other = openOffice(journal, workerId, {}, one.clock)
    const { permits } = one.start()
    const calls = Array.from({ length: 4 }, () => new Asking(permits))
    await served()
    one.clock.pass(10)
    for (const { permit } of calls)
      if (permit !== null) permits.settle(permit, took(0, { rate_limited: { retry_after_ms: 20_000 } }))
    await served()
    expect(one.decided.map(({ provider, decision }) => ({ provider, ...decision }))).toEqual([
      { provider: 'sim', kind: 'cut', from: 4, to: 2 },
      { provider: 'sim', kind: 'wait', ms: 21_000, asked: true },
    ])
    const elsewhere = await ask(other.start().permits)
    expect(elsewhere.state).toBe('waits')
    one.clock.pass(20_990)
    await served()
    expect(elsewhere.state).toBe('waits')
    one.clock.pass(20)
    await served()
    expect(elsewhere.state).toBe('has it')
  })

  it('--fail-on-rate-limit: stop all calls and the experiment', async () => {
    const { start, stops } = opened({ fail_on_rate_limit: true, rate: rpm(2) })
    const { permits } = start()
    const first = await ask(permits)
    await ask(permits)
    const waiting = await ask(permits)
    if (first.permit !== null) permits.settle(first.permit, took(0, { rate_limited: { retry_after_ms: null } }))
    await served()
    expect(refusalOf(waiting)).toMatchObject({ limit: 'rate' })
    expect(refusalOf(await ask(permits))).toMatchObject({ limit: 'rate' })
    expect(stops).toEqual(['sim said that there were too many requests, and --fail-on-rate-limit says not to wait'])
  })

  it('do not count calls of a dead worker as in progress', async () => {
    const { journal, workerId } = planned('a', 'b', 'c')
    const limits = { rate: { sim: { rpm: null, tpm: null, concurrency: 1 } } }
    const dead = openOffice(journal, workerId, limits)
    await ask(dead.start().permits)
    const living = openOffice(journal, joinAgain(journal), limits, dead.clock)
    const asking = await ask(living.start().permits)
    expect(asking.state).toBe('waits')
    journal.run('UPDATE workers SET left_at = 1 WHERE id = ?', workerId)
    living.office.look()
    await served()
    expect(asking.state).toBe('has it')
  })
})
