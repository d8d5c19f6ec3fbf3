import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Permits } from '../../../src/define/permits.ts'
import { number } from '../../../src/record/journal/columns.ts'
import type { Journal } from '../../../src/record/journal/journal.ts'
import { takeOver } from '../../../src/record/runs/workers.ts'
import { finished, joinAgain, money, planned, settle } from '../../record/support.ts'
import { SetClock } from '../../support/set-clock.ts'
import { Asking, askOf, openOffice, served, took } from './office.ts'

/** The real cost of an attempt's calls: sums in hundredths of a cent, so that they are exact. */
interface Attempt {
  readonly token: string
  readonly permits: Permits
  /** Asked for, and not yet ended; those that wait have no permit. */
  calls: { readonly asking: Asking; readonly bound: number }[]
  /** Of calls that have ended. */
  spent: number
  /** The cost that the attempt would report, and whether a part was assumed. */
  reported: number
  isAssumed: boolean
  isOver: boolean
}

interface Worker {
  readonly id: number
  readonly at: ReturnType<typeof openOffice>
  readonly attempts: Attempt[]
}

const unit = 1e-4
const runs = Array.from({ length: 30 }, (_, index) => `run-${index}`)

/** One process after the other works on the journal, asks, spends, crashes; time passes. */
class Simulation {
  readonly journal: Journal
  readonly clock = new SetClock()
  readonly workers: Worker[] = []
  readonly all: Attempt[] = []
  readonly #budget: number
  readonly #cap: number | null

  constructor(budget: number, cap: number | null, workers: number) {
    const { journal, workerId } = planned(...runs)
    this.journal = journal
    this.#budget = budget
    this.#cap = cap
    this.#join(workerId)
    while (this.workers.length < workers) this.#join(joinAgain(journal))
  }

  #join(id: number): void {
    const at = openOffice(this.journal, id, { budget_usd: this.#budget * unit }, this.clock)
    this.workers.push({ id, at, attempts: [] })
  }

  start(worker: Worker): void {
    const before = this.journal.get({ n: number }, 'SELECT count(*) AS n FROM attempts')?.n
    const started = worker.at.start(this.#cap === null ? null : this.#cap * unit)
    // Nothing is ready, or the budget has no room for another run.
    if (this.journal.get({ n: number }, 'SELECT count(*) AS n FROM attempts')?.n === before) return
    const attempt = { ...started, calls: [], spent: 0, reported: 0, isAssumed: false, isOver: false }
    worker.attempts.push(attempt)
    this.all.push(attempt)
  }

  ask(attempt: Attempt, bound: number): void {
    attempt.calls.push({ asking: new Asking(attempt.permits, askOf({ usd: bound * unit })), bound })
  }

  end(attempt: Attempt, which: number, share: number, isTold: boolean): void {
    const under = attempt.calls.filter(({ asking }) => asking.permit !== null)
    const call = under[which % Math.max(1, under.length)]
    if (call?.asking.permit == null) return
    const cost = Math.round((call.bound * share) / 100)
    attempt.calls = attempt.calls.filter(one => one !== call)
    attempt.spent += cost
    attempt.reported += isTold ? cost : call.bound
    attempt.isAssumed ||= !isTold
    attempt.permits.settle(call.asking.permit, took(isTold ? cost * unit : null))
  }

  /** As `perform` does it: calls that were left under way count as the most they can have cost. */
  finish(worker: Worker, attempt: Attempt): void {
    while (attempt.calls.some(({ asking }) => asking.permit !== null)) this.end(attempt, 0, 100, false)
    attempt.isOver = true
    settle(this.journal, attempt.token, 'completed', {
      worker: worker.id,
      cost_usd: attempt.reported * unit,
      cost_at_least_usd: attempt.reported * unit,
      ...(attempt.isAssumed && { cost_assumed: true }),
    })
    worker.at.office.forget(attempt.token)
    worker.attempts.splice(worker.attempts.indexOf(attempt), 1)
  }

  /** Another process finds the dead one's attempts, and gives them up. `late`: it was not dead at all. */
  async crash(worker: Worker, late: boolean): Promise<void> {
    const index = this.workers.indexOf(worker)
    this.workers.splice(index, 1)
    this.#join(joinAgain(this.journal))
    const adopter = this.workers.at(-1)
    if (adopter === undefined) return
    for (const { token } of takeOver(
      this.journal,
      { id: worker.id, countsProcessesAlike: true },
      adopter.id,
      this.clock.now(),
    )) {
      const decide = (history: Parameters<typeof finished>[0]) => ({ ...finished(history), state: 'ready' as const })
      settle(this.journal, token, 'cancelled', { worker: adopter.id, decide })
    }
    if (!late) return
    await served()
    for (const attempt of [...worker.attempts]) this.finish(worker, attempt)
  }

  /** The least that the journal must know of, in units. */
  get truth(): number {
    const under = ({ calls }: Attempt) =>
      calls.reduce((sum, { asking, bound }) => sum + (asking.permit === null ? 0 : bound), 0)
    return this.all.reduce((sum, attempt) => sum + attempt.spent + under(attempt), 0)
  }

  check(): void {
    const { spent_usd = 0, reserved_usd = 0 } = money(this.journal) ?? {}
    expect((spent_usd + reserved_usd) / unit).toBeLessThanOrEqual(this.#budget + 0.001)
    expect((spent_usd + reserved_usd) / unit).toBeGreaterThanOrEqual(this.truth - 0.001)
    const [ledger] = this.journal.all(
      { set_aside: number, spent: number },
      `SELECT coalesce(sum(CASE kind WHEN 'reserve' THEN usd WHEN 'release' THEN -usd END), 0) AS set_aside,
              coalesce(sum(usd) FILTER (WHERE kind IN ('charge', 'assumed')), 0) AS spent FROM ledger`,
    )
    expect(ledger?.set_aside).toBeCloseTo(reserved_usd, 9)
    expect(ledger?.spent).toBeCloseTo(spent_usd, 9)
    const [attempts] = this.journal.all(
      { spent: number, open: number },
      `SELECT coalesce(sum(cost_usd), 0) AS spent,
              coalesce(sum(reserved_usd) FILTER (WHERE ended_at IS NULL), 0) AS open FROM attempts`,
    )
    expect(attempts?.spent).toBeCloseTo(spent_usd, 9)
    expect(attempts?.open).toBeCloseTo(reserved_usd, 9)
  }
}

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('start' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('ask' as const), bound: fc.integer({ min: 0, max: 400 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(5),
      share: fc.integer({ min: 0, max: 100 }),
      isTold: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), late: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 2000 }) }) },
)

const life = fc.record({
  budget: fc.integer({ min: 0, max: 1000 }),
  cap: fc.oneof(fc.constant(null), fc.integer({ min: 1, max: 800 })),
  workers: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(fc.tuple(step, fc.nat(10)), { minLength: 20, maxLength: 80, size: 'max' }),
})

it('never exceeds the budget and keeps the ledger consistent, whatever calls cost and whichever process crashes', async () => {
  await fc.assert(
    fc.asyncProperty(life, async ({ budget, cap, workers, steps }) => {
      const simulation = new Simulation(budget, cap, workers)
      for (const [step, who] of steps) {
        const worker = simulation.workers[who % simulation.workers.length]
        const busy = simulation.workers.flatMap(one => one.attempts.map(attempt => ({ worker: one, attempt })))
        const chosen = busy[who % Math.max(1, busy.length)]
        if (worker === undefined) continue
        if (step.do === 'pass') simulation.clock.pass(step.ms)
        else if (step.do === 'crash') await simulation.crash(chosen?.worker ?? worker, step.late)
        else if (step.do === 'start' || chosen === undefined) simulation.start(worker)
        else if (step.do === 'ask') simulation.ask(chosen.attempt, step.bound)
        else if (step.do === 'end') simulation.end(chosen.attempt, step.which, step.share, step.isTold)
        else simulation.finish(chosen.worker, chosen.attempt)
        await served()
        simulation.check()
      }
      for (const worker of simulation.workers)
        for (const attempt of [...worker.attempts]) simulation.finish(worker, attempt)
      simulation.check()
      expect(money(simulation.journal)?.reserved_usd).toBeCloseTo(0, 9)
    }),
    { numRuns: 120, seed: 7 },
  )
})
