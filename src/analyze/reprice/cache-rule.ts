import type { Usage } from '../../models/model-call.ts'

/**
 * The part of a prompt that a provider bills as cached input: the beginning that it shares with the previous call's
 * prompt.
 */
export type CacheRule =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'prefix'
      /** Shorter beginnings are not cached. */
      readonly least: number
      /** Cached in steps of this many tokens. */
      readonly step: number
      /** Whether new tokens of a prompt are written to the cache at a price of their own. */
      readonly writes: boolean
    }

/**
 * As providers document it in 2026. Caches that expire between two turns, and prompts of other conversations, are not
 * modelled.
 */
const byProvider: { readonly [provider: string]: CacheRule } = {
  openai: { kind: 'prefix', least: 1024, step: 128, writes: false },
  xai: { kind: 'prefix', least: 1024, step: 128, writes: false },
  deepseek: { kind: 'prefix', least: 64, step: 64, writes: false },
  moonshot: { kind: 'prefix', least: 1024, step: 1, writes: false },
  google: { kind: 'prefix', least: 2048, step: 1, writes: false },
  vertex: { kind: 'prefix', least: 2048, step: 1, writes: false },
  anthropic: { kind: 'prefix', least: 1024, step: 1, writes: true },
}

/** null: the provider's rule is unknown. */
export const cacheRuleOf = (provider: string): CacheRule | null => byProvider[provider] ?? null

/** Any shared beginning, down to a token, as the paper counts it. */
export const everyPrefix: CacheRule = { kind: 'prefix', least: 0, step: 1, writes: false }

/** How a prompt of this many tokens is billed; it shares its first `common` tokens with the previous call. */
export function cachedParts(
  rule: CacheRule,
  input: number,
  common: number,
): Pick<Usage, 'cached_input_tokens' | 'cache_write_tokens'> {
  if (rule.kind === 'none') return { cached_input_tokens: 0, cache_write_tokens: 0 }
  const cached = common < rule.least ? 0 : Math.floor(common / rule.step) * rule.step
  return {
    cached_input_tokens: cached,
    cache_write_tokens: rule.writes && input >= rule.least ? input - cached : 0,
  }
}
