import type { TierSpec } from '../../model/model-schema.ts'

/** What a tier has done and how full it was. */
export interface TierTotals {
  attempts: number
  completed: number
  failed: number
  timed_out: number
  cancelled: number
  hedges: number
  escalations: number
  cost: number
  wasted_ms: number
  /** Time integral of the calls in flight. */
  busy_ms: number
}

/** A service level: a maximum of concurrent calls, and of calls per second. */
export class Tier {
  /** The provider that owns it, or the local resource. */
  readonly owner: string
  readonly isLocal: boolean
  readonly index: number
  readonly spec: TierSpec
  readonly totals: TierTotals = {
    attempts: 0,
    completed: 0,
    failed: 0,
    timed_out: 0,
    cancelled: 0,
    hedges: 0,
    escalations: 0,
    cost: 0,
    wasted_ms: 0,
    busy_ms: 0,
  }
  /** How long each call waited before it started here. */
  readonly waits: number[] = []
  /** Whether a callback waits for the next token. */
  isWaitingForToken = false
  readonly #freeLanes: number[] = []
  #lanes = 0
  #busy = 0
  #busySince = 0
  #tokens: number
  #tokensAt = 0

  constructor(owner: { readonly name: string; readonly isLocal: boolean }, index: number, spec: TierSpec) {
    this.owner = owner.name
    this.isLocal = owner.isLocal
    this.index = index
    this.spec = spec
    this.#tokens = spec.burst
  }

  /** `llm_provider_1`; a local resource has one tier and needs no number. */
  get name(): string {
    return this.isLocal ? this.owner : `${this.owner}_${this.index}`
  }

  get hasSlot(): boolean {
    return this.#busy < this.spec.slots
  }

  /** When the rate allows the next call to start: now, or later. */
  tokenTime(now: number): number {
    if (this.spec.rate_per_s === null) return now
    this.#refill(now)
    // Rounding must not leave a bucket that is a hair short for ever.
    return this.#tokens >= 1 - 1e-9 ? now : now + ((1 - this.#tokens) * 1000) / this.spec.rate_per_s
  }

  /** A call starts; the answer is the lane it runs in. */
  enter(now: number): number {
    this.#account(now)
    this.#busy++
    if (this.spec.rate_per_s !== null) {
      this.#refill(now)
      this.#tokens = Math.max(0, this.#tokens - 1)
    }
    return this.#freeLanes.pop() ?? this.#lanes++
  }

  leave(now: number, lane: number): void {
    this.#account(now)
    this.#busy--
    this.#freeLanes.push(lane)
  }

  #account(now: number): void {
    this.totals.busy_ms += this.#busy * (now - this.#busySince)
    this.#busySince = now
  }

  #refill(now: number): void {
    const { rate_per_s, burst } = this.spec
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#tokensAt) * (rate_per_s ?? 0)) / 1000)
    this.#tokensAt = now
  }
}
