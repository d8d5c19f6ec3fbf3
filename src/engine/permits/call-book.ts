import {
  type CallLine,
  type CallMovements,
  type CallTokens,
  isCall,
  type PermitAsk,
  type Settlement,
  type UnbookedCalls,
} from '../../define/permits.ts'

/** A call under way: the most it may use, and what was reserved for it alone. */
export interface OpenCall {
  readonly ask: PermitAsk
  /** null: the attempt's own reservation pays. */
  reservedUsd: number | null
}

/**
 * The calls of one attempt, and the cost of those that ended: gathered until it is written to the journal. Whether the
 * run's own limits allow a call was decided before, next to the run.
 */
export class CallBook {
  /** Whether the attempt's calls are paid from one reservation, made when it was claimed. */
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
      lines: withCall(before?.lines ?? [], lineOf(call, actual)),
      calls: (before?.calls ?? 0) + (isCall(actual) ? 1 : 0),
      tokens: (before?.tokens ?? 0) + actual.tokens,
      isUnknown: (before?.isUnknown ?? false) || (actual.usd === null && call.ask.usd === null),
    }
    return true
  }

  /** The call was never sent. */
  forget(call: OpenCall): void {
    this.#open.delete(call)
  }

  /** What the journal must record before another call is sent. */
  get unbooked(): UnbookedCalls {
    const ended = this.#movements
    const sum = {
      calls: ended?.calls ?? 0,
      tokens: ended?.tokens ?? 0,
      usd: ended?.lines.reduce((usd, line) => usd + line.usd, 0) ?? 0,
      unpriced: ended?.isUnknown === true ? 1 : 0,
    }
    for (const { ask } of this.#open) {
      sum.calls++
      sum.tokens += ask.tokens
      sum.usd += ask.usd ?? 0
      if (ask.usd === null) sum.unpriced++
    }
    return sum
  }

  takeMovements(): CallMovements | null {
    const movements = this.#movements
    this.#movements = null
    return movements
  }

  /** Movements that could not be booked. */
  putBack(movements: CallMovements): void {
    this.#movements = movements
  }
}

/** A call as a line of the ledger. */
function lineOf({ ask, reservedUsd }: OpenCall, actual: Settlement): CallLine {
  const usd = actual.usd ?? ask.usd ?? 0
  // Without a budget there was no reservation that could be too small.
  const isSetAside = reservedUsd !== null && reservedUsd === ask.usd
  return {
    kind: actual.usd === null ? 'assumed' : 'charge',
    purpose: ask.purpose ?? null,
    model: ask.model,
    calls: isCall(actual) ? 1 : 0,
    usd,
    overrunUsd: isSetAside ? Math.max(0, usd - reservedUsd) : 0,
    tokens: actual.usage ?? null,
  }
}

/** Calls of one kind, model and purpose share one line. A call rejected without cost adds none. */
function withCall(lines: readonly CallLine[], line: CallLine): readonly CallLine[] {
  if (line.calls === 0 && line.usd === 0) return lines
  const isSame = ({ kind, purpose, model, tokens }: CallLine): boolean =>
    kind === line.kind &&
    purpose === line.purpose &&
    model === line.model &&
    (tokens === null) === (line.tokens === null)
  const index = lines.findIndex(isSame)
  const before = lines[index]
  return before === undefined ? [...lines, line] : lines.with(index, sumOf(before, line))
}

const sumOf = (a: CallLine, b: CallLine): CallLine => ({
  ...a,
  calls: a.calls + b.calls,
  usd: a.usd + b.usd,
  overrunUsd: a.overrunUsd + b.overrunUsd,
  tokens: a.tokens === null || b.tokens === null ? null : sumOfTokens(a.tokens, b.tokens),
})

const sumOfTokens = (a: CallTokens, b: CallTokens): CallTokens => ({
  input_tokens: a.input_tokens + b.input_tokens,
  cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
  cache_write_tokens: a.cache_write_tokens + b.cache_write_tokens,
  output_tokens: a.output_tokens + b.output_tokens,
  reasoning_tokens: a.reasoning_tokens + b.reasoning_tokens,
})
