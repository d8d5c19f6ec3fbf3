import type { RateLimit, Rates } from '../../define/limits.ts'
import { type RateKey, type RateState, type RateStore, unusedRate } from '../../record/rates/rate-store.ts'
import {
  type Admission,
  admit,
  afterCall,
  type EndedCall,
  type RateDecision,
  sinceBoot,
  underWay,
} from './rate-rules.ts'

/** A call that has ended and is not counted yet. */
type Ended = Omit<EndedCall, 'underWay'>

interface Counter {
  readonly key: RateKey
  state: RateState
  /** This process's calls under way. */
  own: number
  ended: Ended[]
  /** Whether other workers share the same state. */
  isShared: boolean
}

const unlimited: RateLimit = { rpm: null, tpm: null, concurrency: null }

/**
 * The rates of all providers and keys, as far as this process knows them. A rate with a limit, or whose provider ever
 * complained, is shared with the other workers through the store; the others need no transaction.
 */
export class RateDesk {
  readonly #store: RateStore
  readonly #worker: string
  readonly #boot: string
  readonly #random: () => number
  readonly #counters = new Map<string, Counter>()
  #rates: Rates = {}
  #version = -1
  #alive: ReadonlySet<string> | null = null

  constructor(setup: {
    readonly store: RateStore
    readonly worker: string
    /** The boot that times are counted from. */
    readonly boot: string
    readonly random: () => number
  }) {
    this.#boot = setup.boot
    this.#store = setup.store
    this.#worker = setup.worker
    this.#random = setup.random
  }

  /** Reads the current limits, and what other processes have found out since. */
  follow(rates: Rates): void {
    this.#rates = rates
    const version = this.#store.version()
    if (version === this.#version) return
    this.#version = version
    for (const { provider, key } of this.#store.all()) this.#counterOf({ provider, key }).isShared = true
  }

  isShared(key: RateKey): boolean {
    return this.#counterOf(key).isShared
  }

  /** Whether calls with these keys, or ended calls, are counted in the shared store. */
  needsStore(keys: readonly RateKey[]): boolean {
    if (keys.some(key => this.isShared(key))) return true
    for (const counter of this.#counters.values()) if (counter.isShared && counter.ended.length > 0) return true
    return false
  }

  end(key: RateKey, call: Ended): void {
    this.#counterOf(key).ended.push(call)
  }

  /**
   * Counts ended calls and lets `work` admit new ones; shared state is read before and written after, so that must be
   * part of a transaction. Returns the decisions. Nothing changes here if `work` throws; `undo` is for a transaction
   * that fails afterwards.
   */
  open(
    now: number,
    keys: readonly RateKey[],
    work: (window: RateWindow) => void,
    undo: (step: () => void) => void,
  ): readonly Decided[] {
    const counters = new Set([
      ...keys.map(key => this.#counterOf(key)),
      ...[...this.#counters.values()].filter(({ ended }) => ended.length > 0),
    ])
    this.#alive = null
    const decided: Decided[] = []
    const drafts = new Map<Counter, Draft>()
    for (const counter of counters) drafts.set(counter, this.#draftOf(counter, now, decided))
    work({ ask: (key, tokens) => this.#ask(drafts.get(this.#counterOf(key)), this.#limitOf(key), tokens, now) })
    for (const [counter, draft] of drafts) {
      const state = { ...draft.state, under_way: { ...living(draft.state, this.#isAlive), [this.#worker]: draft.own } }
      if (counter.isShared) this.#store.write(counter.key, state)
      draft.state = state
    }
    // Only once everything is written, or none of it counts.
    for (const [counter, draft] of drafts) {
      const before = { ...counter }
      undo(() => void Object.assign(counter, before))
      counter.state = draft.state
      counter.own = draft.own
      counter.ended = counter.ended.slice(draft.counted)
      if (draft.state.ceiling !== null && !counter.isShared) this.#share(counter)
    }
    return decided
  }

  /** First come, first served: no call overtakes a larger one that waits for its rate. */
  #ask(draft: Draft | undefined, limit: RateLimit, tokens: number, now: number): ReturnType<RateWindow['ask']> {
    if (draft === undefined || draft.isFull) return { kind: 'wait', until: null, why: 'rate' }
    const answer = admit(draft.state, limit, { tokens, underWay: draft.elsewhere + draft.own }, now)
    if (answer.kind === 'wait') {
      draft.isFull = true
      return answer
    }
    return {
      kind: 'go',
      take() {
        draft.state = answer.state
        draft.own++
        return limit.tpm === null ? tokens : Math.min(tokens, limit.tpm)
      },
    }
  }

  /** From the first complaint on, every worker must know. */
  #share(counter: Counter): void {
    counter.isShared = true
    this.#store.write(counter.key, counter.state)
  }

  #draftOf(counter: Counter, now: number, decided: Decided[]): Draft {
    if (counter.isShared) this.#alive ??= this.#store.workers()
    const known = (counter.isShared ? this.#store.read(counter.key) : null) ?? counter.state
    const state = sinceBoot(known, this.#boot, now)
    const others = { ...state, under_way: { ...state.under_way, [this.#worker]: 0 } }
    const draft = {
      state,
      own: counter.own,
      elsewhere: counter.isShared ? underWay(others, this.#isAlive) : 0,
      counted: counter.ended.length,
      isFull: false,
    }
    for (const call of counter.ended) {
      const ended = { ...call, underWay: draft.elsewhere + draft.own }
      const after = afterCall(draft.state, this.#limitOf(counter.key), ended, now, this.#random())
      draft.state = after.state
      draft.own = Math.max(0, draft.own - 1)
      decided.push(...after.decisions.map(decision => ({ ...counter.key, decision })))
    }
    return draft
  }

  readonly #isAlive = (worker: string): boolean => worker === this.#worker || (this.#alive?.has(worker) ?? false)

  #limitOf({ provider }: RateKey): RateLimit {
    return this.#rates[provider] ?? unlimited
  }

  #counterOf(key: RateKey): Counter {
    const id = `${key.provider} ${key.key}`
    let counter = this.#counters.get(id)
    if (counter === undefined) {
      counter = { key, state: unusedRate, own: 0, ended: [], isShared: false }
      this.#counters.set(id, counter)
    }
    counter.isShared ||= this.#rates[key.provider] !== undefined
    return counter
  }
}

/** Admits calls, one after the other. */
export interface RateWindow {
  ask(
    key: RateKey,
    tokens: number,
  ):
    | Extract<Admission, { kind: 'wait' }>
    | { readonly kind: 'go' /** Sends it; the tokens that count. */; take(): number }
}

export type Decided = RateKey & { readonly decision: RateDecision }

interface Draft {
  state: RateState
  own: number
  readonly elsewhere: number
  readonly counted: number
  isFull: boolean
}

const living = (state: RateState, isAlive: (worker: string) => boolean): RateState['under_way'] =>
  Object.fromEntries(Object.entries(state.under_way).filter(([worker]) => isAlive(worker)))
