import type { PriceTier } from '../../define/models/model-settings.ts'
import type { CostSource, Usage } from '../model-call.ts'

/** The price of a model; `null` in its place means unknown. */
export type Price =
  | { readonly from: 'declared_free' }
  | { readonly from: 'preset' | 'simulated'; readonly tiers: readonly PriceTier[] }
  | { readonly from: 'prices'; readonly entry: TablePrice }

/** A row of the price table, whose prices may depend on the hour and on the size of the prompt. */
export interface TablePrice {
  readonly provider: string
  readonly model: string
  cost(usage: Usage, at: number): number
  /** USD for a million tokens of a small prompt, for display. */
  readonly shown: PriceTier
}

export interface Cost {
  readonly usd: number | null
  readonly from: CostSource
}

/** The cost of a call. `at`: when it was made, in milliseconds since 1970. */
export function costOf(usage: Usage, price: Price | null, at: number): Cost {
  if (price === null) return { usd: null, from: 'unknown' }
  if (price.from === 'declared_free') return { usd: 0, from: 'declared_free' }
  if (price.from === 'prices') return { usd: price.entry.cost(usage, at), from: 'prices' }
  return { usd: tieredCost(usage, price.tiers), from: price.from }
}

/** The maximum cost of a call of at most so many tokens. `isKeptLong`: its input may be cached for an hour. */
export function boundOf(
  { input, output, isKeptLong }: { readonly input: number; readonly output: number; readonly isKeptLong?: boolean },
  price: Price | null,
  at: number,
): number | null {
  const usage = { input_tokens: input, output_tokens: output, reasoning_tokens: 0 }
  // Input written to the provider's cache may be more expensive, and so may input read from it.
  const ways = [
    { cached_input_tokens: 0, cache_write_tokens: 0 },
    { cached_input_tokens: input, cache_write_tokens: 0 },
    { cached_input_tokens: 0, cache_write_tokens: input },
    ...(isKeptLong === true
      ? [{ cached_input_tokens: 0, cache_write_tokens: input, cache_write_1h_tokens: input }]
      : []),
  ]
  const costs = ways.map(way => costOf({ ...usage, ...way }, price, at).usd)
  return costs.reduce<number | null>((most, usd) => (most === null || usd === null ? null : Math.max(most, usd)), 0)
}

/** The tier of the prompt's size applies to all tokens of the call, as providers bill it. */
function tieredCost(usage: Usage, tiers: readonly PriceTier[]): number {
  const tier = tiers.findLast(({ above }) => usage.input_tokens > above) ?? tiers[0]
  if (tier === undefined) return 0
  const { input, output, cached_input = input, cache_write = input } = tier
  // Anthropic's rule, https://platform.claude.com/docs/en/build-with-claude/prompt-caching#pricing
  const { cache_write_1h = Math.max(cache_write, 2 * input) } = tier
  const { cache_write_1h_tokens: long = 0 } = usage
  const fresh = usage.input_tokens - usage.cached_input_tokens - usage.cache_write_tokens
  const sum =
    fresh * input +
    usage.cached_input_tokens * cached_input +
    (usage.cache_write_tokens - long) * cache_write +
    long * cache_write_1h +
    usage.output_tokens * output
  return sum / 1e6
}
