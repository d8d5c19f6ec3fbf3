import { LimitReached, type PermitAsk, type Settlement } from '../../define/permits.ts'
import type { CallMovements } from '../../record/runs/call-money.ts'
import { roundingUsd } from '../../record/runs/ledger.ts'

/** What one run may take: those limits that were in force when its attempt started. null: no limit. */
export interface RunLimits {
  readonly usd: number | null
  readonly calls: number | null
  readonly tokens: number | null
}

/** A call under way: what it may take, and what was set aside for it alone. */
export interface OpenCall {
  readonly ask: PermitAsk
  /** null: the attempt's own reservation pays. */
  reservedUsd: number | null
}

/**
 * What an attempt's calls have taken and may still take, kept in memory. What has to be booked is gathered until somebody
 * writes it to the journal.
 */
export class RunAccount {
  readonly #limits: RunLimits
  readonly #open = new Set<OpenCall>()
  #calls = 0
  #tokens = 0
  #usd = 0
  #movements: CallMovements | null = null

  constructor(limits: RunLimits) {
    this.#limits = limits
  }

  /** Whether the attempt's calls are paid out of one reservation, made when it was claimed. */
  get hasCap(): boolean {
    return this.#limits.usd !== null
  }

  get open(): ReadonlySet<OpenCall> {
    return this.#open
  }

  /** Whether the run's own limits have room for a call: yes, not while others are under way, or no. */
  room(ask: PermitAsk): 'fits' | 'wait' | LimitReached {
    const { calls, tokens, usd } = this.#limits
    if (calls !== null && this.#calls + this.#open.size >= calls)
      return new LimitReached(
        'run_calls',
        `the run has called models ${calls} times, as often as run_calls allows`,
        calls,
      )
    if (usd !== null && ask.usd === null) return unknownPrice(ask, `run_budget_usd: ${usd}`)
    const under = this.#underWay()
    const need = { tokens: this.#tokens + ask.tokens, usd: this.#usd + (ask.usd ?? 0) }
    if (tokens !== null && need.tokens + under.tokens > tokens)
      return need.tokens <= tokens && under.tokens > 0 ? 'wait' : tooManyTokens(ask, this.#tokens, tokens)
    if (usd !== null && need.usd + under.usd > usd + roundingUsd)
      return need.usd <= usd + roundingUsd && under.usd > 0 ? 'wait' : tooDear(ask, this.#usd, usd)
    return 'fits'
  }

  begin(ask: PermitAsk, reservedUsd: number | null): OpenCall {
    const call = { ask, reservedUsd }
    this.#open.add(call)
    return call
  }

  /** False: it has ended already. */
  end(call: OpenCall, actual: Settlement): boolean {
    if (!this.#open.delete(call)) return false
    // What the provider turned away was no call.
    if (actual.rate_limited === null) this.#calls++
    this.#tokens += actual.tokens
    const assumed = actual.usd === null ? (call.ask.usd ?? 0) : 0
    const charged = actual.usd ?? 0
    this.#usd += charged + assumed
    const before = this.#movements
    const releaseUsd = call.reservedUsd === null ? null : (before?.releaseUsd ?? 0) + call.reservedUsd
    this.#movements = {
      releaseUsd,
      chargeUsd: (before?.chargeUsd ?? 0) + charged,
      assumedUsd: (before?.assumedUsd ?? 0) + assumed,
    }
    return true
  }

  /** The call was never sent. */
  forget(call: OpenCall): void {
    this.#open.delete(call)
  }

  takeMovements(): CallMovements | null {
    const movements = this.#movements
    this.#movements = null
    return movements
  }

  /** What was taken could not be booked. */
  putBack(movements: CallMovements): void {
    this.#movements = movements
  }

  #underWay(): { readonly tokens: number; readonly usd: number } {
    let tokens = 0
    let usd = 0
    for (const { ask } of this.#open) {
      tokens += ask.tokens
      usd += ask.usd ?? 0
    }
    return { tokens, usd }
  }
}

export function unknownPrice({ model }: PermitAsk, limit: string): LimitReached {
  const message = `nobody knows what ${model} costs, so that ${limit} can't be kept; give it a price under models, or take the limit away`
  return new LimitReached('unknown_price', message)
}

function tooManyTokens({ model, tokens }: PermitAsk, used: number, limit: number): LimitReached {
  const message = `another call of ${model} may take ${tokens} tokens, and the run has used ${used} of its ${limit} (run_tokens)`
  return new LimitReached('run_tokens', message, limit)
}

function tooDear({ model, usd }: PermitAsk, spent: number, limit: number): LimitReached {
  const message = `another call of ${model} may cost ${amount(usd ?? 0)}, and the run has spent ${amount(spent)} of its ${amount(limit)} (run_budget_usd)`
  return new LimitReached('run_budget_usd', message, limit)
}

/** Calls cost fractions of a cent. */
export const amount = (usd: number): string => `$${Number(usd.toPrecision(3))}`
