import type { RunCaps } from '../../define/limits.ts'
import {
  isCall,
  LimitReached,
  type Permit,
  type PermitAsk,
  type Permits,
  roundingUsd,
  type Settlement,
  unknownPrice,
} from '../../define/permits.ts'
import type { Job } from '../../define/run.ts'
import { exactDollars } from '../../util/words.ts'

/** A run's limits, and how much of them its earlier attempts have used. */
type RunLimits = Pick<Job, 'run_budget_usd' | 'spent'> & RunCaps

/**
 * Permits that hold an attempt's calls to the limits of its run, and pass those that fit on to `beyond`. In memory,
 * next to the run: a worker needs neither the journal nor the engine for it.
 */
export function runPermits(limits: RunLimits, beyond: Permits): Permits {
  const account = new RunAccount(limits)
  const open = new Map<number, { readonly call: PermitAsk; readonly permit: Permit }>()
  const waiting = new Set<() => void>()
  let permits = 0
  const recheck = () => {
    for (const look of [...waiting]) look()
  }
  /** The call counts from here on; it waits while calls under way may use less than their maximum. */
  const enter = (ask: PermitAsk, signal: AbortSignal) =>
    new Promise<PermitAsk>((resolve, reject) => {
      const giveUp = () => {
        waiting.delete(look)
        reject(signal.reason)
      }
      const look = () => {
        const room = account.room(ask)
        if (room === 'wait') return void waiting.add(look)
        waiting.delete(look)
        signal.removeEventListener('abort', giveUp)
        if (room === 'fits') resolve(account.begin(ask))
        else reject(room)
      }
      if (signal.aborted) return reject(signal.reason)
      signal.addEventListener('abort', giveUp, { once: true })
      look()
    })
  return {
    async acquire(ask, signal) {
      const call = await enter(ask, signal)
      try {
        const permit = await beyond.acquire(ask, signal)
        const id = ++permits
        open.set(id, { call, permit })
        return { id, ask }
      } catch (error) {
        account.forget(call)
        recheck()
        throw error
      }
    },
    settle({ id }, actual) {
      const sent = open.get(id)
      if (sent === undefined) return
      open.delete(id)
      account.end(sent.call, actual)
      beyond.settle(sent.permit, actual)
      recheck()
    },
  }
}

/** What a run's calls have used and may still use. */
class RunAccount {
  readonly #limits: RunLimits
  readonly #open = new Set<PermitAsk>()
  #calls: number
  #tokens: number
  #usd: number

  constructor(limits: RunLimits) {
    this.#limits = limits
    this.#calls = limits.spent.calls
    this.#tokens = limits.spent.tokens
    this.#usd = limits.spent.usd
  }

  /** Whether the run's own limits allow a call: yes, not while others are under way, or no. */
  room(ask: PermitAsk): 'fits' | 'wait' | LimitReached {
    const { run_calls: calls, run_tokens: tokens, run_budget_usd: usd } = this.#limits
    if (calls !== null && this.#calls + this.#open.size >= calls) return tooManyCalls(calls, this.#limits.spent.calls)
    if (usd !== null && ask.usd === null) return unknownPrice(ask, `run_budget_usd: ${usd}`)
    const under = this.#underWay()
    const need = { tokens: this.#tokens + ask.tokens, usd: this.#usd + (ask.usd ?? 0) }
    if (tokens !== null && need.tokens + under.tokens > tokens)
      return need.tokens <= tokens && under.tokens > 0 ? 'wait' : tooManyTokens(ask, this.#tokens, tokens)
    // A call that costs nothing fits whatever earlier attempts have spent.
    if (usd !== null && ask.usd !== 0 && need.usd + under.usd > usd + roundingUsd)
      return need.usd <= usd + roundingUsd && under.usd > 0 ? 'wait' : tooDear(ask, this.#usd, usd)
    return 'fits'
  }

  /** Each call is represented by its own copy: the same request may be made twice. */
  begin(ask: PermitAsk): PermitAsk {
    const call = { ...ask }
    this.#open.add(call)
    return call
  }

  end(call: PermitAsk, actual: Settlement): void {
    this.#open.delete(call)
    if (isCall(actual)) this.#calls++
    this.#tokens += actual.tokens
    this.#usd += actual.usd ?? call.usd ?? 0
  }

  /** The call was never sent. */
  forget(call: PermitAsk): void {
    this.#open.delete(call)
  }

  #underWay(): { readonly tokens: number; readonly usd: number } {
    let tokens = 0
    let usd = 0
    for (const ask of this.#open) {
      tokens += ask.tokens
      usd += ask.usd ?? 0
    }
    return { tokens, usd }
  }
}

function tooManyCalls(limit: number, earlier: number): LimitReached {
  const before = earlier > 0 ? `, ${earlier} of them in earlier attempts` : ''
  const message = `the run has called models ${limit} times${before}, as often as run_calls allows`
  return new LimitReached('run_calls', message, limit)
}

function tooManyTokens({ model, tokens }: PermitAsk, used: number, limit: number): LimitReached {
  const message = `another call of ${model} may take ${tokens} tokens, and the run has used ${used} of its ${limit} (run_tokens)`
  return new LimitReached('run_tokens', message, limit)
}

function tooDear({ model, usd }: PermitAsk, spent: number, limit: number): LimitReached {
  const message = `another call of ${model} may cost ${exactDollars(usd ?? 0)}, and the run has spent ${exactDollars(spent)} of its ${exactDollars(limit)} (run_budget_usd)`
  return new LimitReached('run_budget_usd', message, limit)
}
