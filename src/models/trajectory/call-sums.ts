import type { Usage } from '../model-call.ts'
import type { CallSums } from './trajectory.ts'

/** What one call used. */
export interface CallFacts {
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly price_usd: number | null
}

export const noCalls: CallSums = {
  calls: 0,
  cost_usd: 0,
  price_usd: 0,
  raw_input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
}

/** Sums over calls; a sum is null as soon as one call lacks its part. */
export function sumsOfCalls(calls: readonly CallFacts[]): CallSums {
  const tokens = (pick: (usage: Usage) => number): number | null =>
    total(calls.map(({ usage }) => (usage === null ? null : pick(usage))))
  return {
    calls: calls.length,
    cost_usd: total(calls.map(({ cost_usd }) => cost_usd)),
    price_usd: total(calls.map(({ price_usd }) => price_usd)),
    raw_input_tokens: tokens(usage => usage.input_tokens - usage.cached_input_tokens),
    cached_input_tokens: tokens(usage => usage.cached_input_tokens),
    output_tokens: tokens(usage => usage.output_tokens),
    reasoning_tokens: tokens(usage => usage.reasoning_tokens),
  }
}

export const addSums = (a: CallSums, b: CallSums): CallSums => ({
  calls: plus(a.calls, b.calls),
  cost_usd: plus(a.cost_usd, b.cost_usd),
  price_usd: plus(a.price_usd, b.price_usd),
  raw_input_tokens: plus(a.raw_input_tokens, b.raw_input_tokens),
  cached_input_tokens: plus(a.cached_input_tokens, b.cached_input_tokens),
  output_tokens: plus(a.output_tokens, b.output_tokens),
  reasoning_tokens: plus(a.reasoning_tokens, b.reasoning_tokens),
})

const plus = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a + b)

/** null as soon as one of them is unknown. */
export const total = (values: readonly (number | null)[]): number | null => values.reduce(plus, 0)
