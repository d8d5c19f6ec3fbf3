import type { CallMovements, PermitAsk, Settlement } from '../../define/permits.ts'

/** A call under way: what it may take, and what was set aside for it alone. */
export interface OpenCall {
  readonly ask: PermitAsk
  /** null: the attempt's own reservation pays. */
  reservedUsd: number | null
}

/**
 * The calls of one attempt, and what those that have ended cost: gathered until it is written to the journal. Whether the
 * run's own limits have room for a call was decided before, beside the run.
 */
export class CallBook {
  /** Whether the attempt's calls are paid out of one reservation, made when it was claimed. */
  readonly hasCap: boolean
  readonly #open = new Set<OpenCall>()
  #movements: CallMovements | null = null

  constructor(hasCap: boolean) {
    this.hasCap = hasCap
  }

  get open(): ReadonlySet<OpenCall> {
    return this.#open
  }

  begin(ask: PermitAsk, reservedUsd: number | null): OpenCall {
    const call = { ask, reservedUsd }
    this.#open.add(call)
    return call
  }

  /** False: it has ended already. */
  end(call: OpenCall, actual: Settlement): boolean {
    if (!this.#open.delete(call)) return false
    const before = this.#movements
    this.#movements = {
      releaseUsd: call.reservedUsd === null ? null : (before?.releaseUsd ?? 0) + call.reservedUsd,
      chargeUsd: (before?.chargeUsd ?? 0) + (actual.usd ?? 0),
      assumedUsd: (before?.assumedUsd ?? 0) + (actual.usd === null ? (call.ask.usd ?? 0) : 0),
      calls: (before?.calls ?? 0) + (actual.rate_limited === null ? 1 : 0),
      tokens: (before?.tokens ?? 0) + actual.tokens,
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
}
