import type { Limits } from '../../define/limits.ts'
import { LimitReached, type PermitAsk, type Permits, type Settlement, unknownPrice } from '../../define/permits.ts'
import type { Job } from '../../define/run.ts'
import { isBusy, type Journal } from '../../record/journal/journal.ts'
import { journalRates } from '../../record/rates/rate-store.ts'
import { bookCalls, reserveCall, writeUnbooked } from '../../record/runs/ledger.ts'
import { SmallMap } from '../../util/collections.ts'
import { AssayError } from '../../util/errors.ts'
import { type Clock, momentOf } from '../../util/time.ts'
import { exactDollars } from '../../util/words.ts'
import { CallBook } from './call-book.ts'
import { type Client, permitsFor, type SentCall, type Waiting } from './client.ts'
import { type Decided, RateDesk, type RateWindow } from './rate-desk.ts'

/** How long the cost of calls may stay unbooked while nothing needs it. */
const bookWithinMs = 1000
/** When to try a locked journal again. */
const retryMs = 200
/** Waiting for the disk may take this share of the time: calls that arrive meanwhile go into the next transaction. */
const shareOfTime = 1 / 2

interface OfficeSetup {
  readonly journal: Journal
  readonly workerId: number
  readonly clock: Clock
  /** The boot that its monotonic clock counts from. */
  readonly boot: string
  /** In [0, 1). */
  readonly random: () => number
  readonly limits: () => Limits
  readonly onRateDecision: (decided: Decided) => void
  /** No new runs: the budget is used up, or a provider complained and waiting is not wanted. */
  readonly stop: (reason: string) => void
}

/** One pass over all waiting calls. */
interface Round {
  readonly limits: Limits
  /** The wall clock, for records. */
  readonly now: number
  /** On the machine's monotonic clock. */
  readonly elapsed: number
  /** Whether the cost of calls is booked now. */
  readonly isToBook: boolean
  /** Registers what to undo in memory if the journal does not accept the transaction. */
  readonly undo: (step: () => void) => void
}

type Verdict = 'waits' | { readonly sent: SentCall } | { readonly error: Error }

/**
 * Gives permits to the runs of this process, for calls that their runs' own limits allow. A call passes two gates: the
 * rate of its provider and key; and the experiment's budget, in the journal, unless the run's own reservation pays. All
 * requests of the same moment share one transaction.
 */
export class PermitOffice {
  readonly #setup: OfficeSetup
  readonly #rates: RateDesk
  readonly #clients = new SmallMap<string, Client>()
  readonly #waiting = new Set<Waiting>()
  #refusal: LimitReached | null = null
  #isShort = false
  #hadBudget: boolean
  #isScheduled = false
  #isClosed = false
  #notBefore = 0
  #bookAt = Number.POSITIVE_INFINITY
  #timer = { at: Number.POSITIVE_INFINITY, forget: (): void => undefined }

  constructor(setup: OfficeSetup) {
    this.#setup = setup
    const { journal, workerId, random } = setup
    this.#rates = new RateDesk({ store: journalRates(journal), worker: String(workerId), boot: setup.boot, random })
    this.#hadBudget = setup.limits().budget_usd !== null
  }

  /** Whether calls are waiting because the budget is used up for now: no time to start more runs. */
  get isShort(): boolean {
    return this.#isShort && this.#waiting.size > 0
  }

  /** The permits of one attempt. */
  permitsOf(job: Job): Permits {
    const client: Client = { token: job.token, book: new CallBook(job.run_budget_usd !== null) }
    this.#clients.set(job.token, client)
    return permitsFor(client, {
      add: waiting => {
        this.#waiting.add(waiting)
        this.#schedule()
      },
      remove: waiting => void this.#waiting.delete(waiting),
      settle: (sent, actual) => this.#settle(client, sent, actual),
    })
  }

  /**
   * Books the cost of an attempt's calls before the attempt itself is settled, in the same transaction. Returns the
   * amount, and what undoes it if the transaction fails.
   */
  bookCallsOf(token: string): { readonly usd: number; readonly takeBack: () => void } {
    const { journal, workerId, clock } = this.#setup
    const book = this.#clients.get(token)?.book
    const movements = book?.takeMovements() ?? null
    if (book === undefined || movements === null) return { usd: 0, takeBack: () => {} }
    bookCalls(journal, { token, workerId }, movements, book.unbooked, clock.now())
    return {
      usd: movements.lines.reduce((sum, { usd }) => sum + usd, 0),
      takeBack: () => book.putBack(movements),
    }
  }

  /** An attempt has ended, and its cost is settled as a whole: nothing is left to book. */
  forget(token: string): void {
    this.#clients.delete(token)
    for (const one of this.#waiting)
      if (one.client.token === token) this.#answer(one, { error: new Error('the run is over') })
  }

  /** Time has passed, or another process changed the journal: calls may fit now. */
  look(): void {
    const hasBudget = this.#setup.limits().budget_usd !== null
    if (this.#waiting.size > 0 || (hasBudget && !this.#hadBudget)) this.#schedule()
  }

  /** No more calls come; any unbooked cost is booked. */
  close(): void {
    if (this.#isClosed) return
    this.#bookAt = 0
    if (this.#clients.size > 0) this.#serve()
    this.#isClosed = true
    this.#timer.forget()
  }

  #settle({ book }: Client, { call, ...sent }: SentCall, actual: Settlement): void {
    if (!book.end(call, actual)) return
    const { clock, limits } = this.#setup
    this.#bookAt = Math.min(this.#bookAt, clock.elapsed() + bookWithinMs)
    this.#rates.end(call.ask, { ...sent, tokens: actual.tokens, complaint: actual.rate_limited })
    if (actual.rate_limited !== null && limits().fail_on_rate_limit) this.#giveUp(call.ask)
    // Waiting calls need this at once; the booking can wait a little.
    if (this.#waiting.size > 0 || actual.rate_limited !== null || this.#rates.isShared(call.ask)) this.#schedule()
    else this.#wakeAt(this.#bookAt)
  }

  /** No more calls are permitted. */
  #giveUp({ provider }: PermitAsk): void {
    const message = `${provider} said that there were too many requests, and --fail-on-rate-limit says not to wait`
    this.#refusal ??= new LimitReached('rate', message)
    this.#setup.stop(message)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    if (this.#notBefore - this.#setup.clock.elapsed() > 1) {
      this.#wakeAt(this.#notBefore)
      return
    }
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      if (!this.#isClosed) this.#serve()
    })
  }

  /** Serves at that time on the monotonic clock, if not sooner. */
  #wakeAt(at: number): void {
    const { clock } = this.#setup
    if (this.#isClosed || at >= this.#timer.at) return
    this.#timer.forget()
    const forget = clock.after(Math.max(0, at - clock.elapsed()), () => {
      this.#timer.at = Number.POSITIVE_INFINITY
      this.#serve()
    })
    this.#timer = { at, forget }
  }

  /** Books ended calls, and permits those that fit. */
  #serve(): void {
    const { journal, clock, limits, onRateDecision } = this.#setup
    const { now, elapsed } = momentOf(clock)
    const inForce = limits()
    const waiting = [...this.#waiting]
    const durable = inForce.budget_usd !== null && waiting.some(({ client }) => !client.book.hasCap)
    const isBudgetNew = inForce.budget_usd !== null && !this.#hadBudget
    const undo: (() => void)[] = []
    try {
      this.#rates.follow(inForce.rate)
      const isToBook =
        durable || isBudgetNew || elapsed >= this.#bookAt || this.#rates.needsStore(waiting.map(({ ask }) => ask))
      const round = () =>
        this.#round(waiting, { limits: inForce, now, elapsed, isToBook, undo: step => undo.push(step) })
      const { verdicts, decided } = isToBook || waiting.length > 0 ? journal.transaction(round, { durable }) : round()
      // It is written: a failure from here on does not undo it.
      undo.length = 0
      const doneAt = clock.elapsed()
      if (durable) this.#notBefore = doneAt + (doneAt - elapsed) * (1 / shareOfTime - 1)
      for (const [one, verdict] of verdicts) this.#answer(one, verdict)
      for (const one of decided) onRateDecision(one)
    } catch (error) {
      // What was not written did not happen.
      for (const step of undo.reverse()) step()
      this.#wakeAt(elapsed + (isBusy(error) ? retryMs : bookWithinMs))
      // The disk is full, for example: the call can't be made. A busy journal is only waited for.
      if (!isBusy(error)) for (const one of waiting) this.#answer(one, { error: asError(error) })
    }
  }

  /** After everything is written. */
  #answer(waiting: Waiting, verdict: Verdict): void {
    if (verdict === 'waits') return
    const isGone = !this.#waiting.delete(waiting)
    if ('sent' in verdict) {
      if (isGone) this.#settle(waiting.client, verdict.sent, { tokens: 0, usd: 0, rate_limited: null, is_unsent: true })
      else waiting.grant(verdict.sent)
      return
    }
    const { error } = verdict
    if (error instanceof LimitReached && error.limit === 'budget_usd') this.#setup.stop(error.message)
    if (!isGone) waiting.refuse(error)
  }

  #round(waiting: readonly Waiting[], round: Round) {
    if (round.isToBook) this.#book(round)
    this.#isShort = false
    const verdicts = new Map<Waiting, Verdict>()
    const decided = this.#rates.open(
      round.elapsed,
      waiting.map(({ ask }) => ask),
      window => {
        for (const one of waiting) verdicts.set(one, this.#judge(one, window, round))
      },
      round.undo,
    )
    this.#writeSent(verdicts)
    return { verdicts, decided }
  }

  /** Every call is recorded before it is sent: after a crash it counts. */
  #writeSent(verdicts: ReadonlyMap<Waiting, Verdict>): void {
    const { journal, workerId } = this.#setup
    const clients = new Set<Client>()
    for (const [{ client }, verdict] of verdicts) if (verdict !== 'waits' && 'sent' in verdict) clients.add(client)
    for (const { token, book } of clients) writeUnbooked(journal, { token, workerId }, book.unbooked)
  }

  /** Books the cost of calls since the last booking; and, if a budget is new, reserves for calls under way. */
  #book({ limits: { budget_usd }, now, undo }: Round): void {
    const { journal, workerId } = this.#setup
    const before = { bookAt: this.#bookAt, hadBudget: this.#hadBudget }
    undo(() => {
      this.#bookAt = before.bookAt
      this.#hadBudget = before.hadBudget
    })
    this.#bookAt = Number.POSITIVE_INFINITY
    const isNew = budget_usd !== null && !this.#hadBudget
    this.#hadBudget = budget_usd !== null
    for (const { token, book } of this.#clients.values()) {
      const movements = book.takeMovements()
      if (movements !== null) {
        undo(() => book.putBack(movements))
        bookCalls(journal, { token, workerId }, movements, book.unbooked, now)
      }
      if (!isNew || book.hasCap) continue
      for (const call of book.open) {
        const usd = call.ask.usd ?? 0
        if (reserveCall(journal, { token, workerId }, { usd, budgetUsd: null, now }) !== 'reserved') continue
        const { reservedUsd } = call
        undo(() => {
          call.reservedUsd = reservedUsd
        })
        call.reservedUsd = usd
      }
    }
  }

  /** The two gates. */
  #judge({ client, ask }: Waiting, window: RateWindow, { limits, now, elapsed, undo }: Round): Verdict {
    if (this.#refusal !== null) return { error: this.#refusal }
    const admission = window.ask(ask, ask.tokens)
    if (admission.kind === 'wait') {
      if (admission.until !== null) this.#wakeAt(admission.until)
      return 'waits'
    }
    const paid = this.#reserve(client, ask, limits.budget_usd, now)
    if (paid === 'waits' || paid instanceof Error) return paid === 'waits' ? paid : { error: paid }
    const counted = admission.take()
    const call = client.book.begin(ask, paid.reservedUsd)
    undo(() => client.book.forget(call))
    return { sent: { call, sentAt: elapsed, counted } }
  }

  #reserve(
    { book, token }: Client,
    ask: PermitAsk,
    budgetUsd: number | null,
    now: number,
  ): 'waits' | Error | { readonly reservedUsd: number | null } {
    if (book.hasCap) return { reservedUsd: null }
    if (budgetUsd === null) return { reservedUsd: 0 }
    if (ask.usd === null) return unknownPrice(ask, `budget_usd: ${budgetUsd}`)
    const { journal, workerId } = this.#setup
    switch (reserveCall(journal, { token, workerId }, { usd: ask.usd, budgetUsd, now })) {
      case 'reserved':
        return { reservedUsd: ask.usd }
      case 'wait':
        this.#isShort = true
        return 'waits'
      case 'refused':
        return budgetIsUsed(ask, budgetUsd)
      case 'taken_over':
        return new AssayError('busy', 'another process considered this one dead and took over its runs')
    }
  }
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))

function budgetIsUsed({ model, usd }: PermitAsk, budgetUsd: number): LimitReached {
  const message = `the budget of ${exactDollars(budgetUsd)} has no room for another call: ${model} may cost ${exactDollars(usd ?? 0)}, its longest answer counted`
  return new LimitReached('budget_usd', message, budgetUsd)
}
