import type { PriceTier } from '../define/models/model-settings.ts'
import { AssayError } from '../util/errors.ts'
import { findRoute } from './find-route.ts'
import type { Message, Usage } from './model-call.ts'
import { ModelError } from './model-error.ts'
import type { ModelLookup } from './model-facts.ts'
import { behaviourOf } from './names/settings-of.ts'
import { messageCounter } from './prices/count-tokens.ts'
import { costOf, type Price } from './prices/price.ts'
import { contextOf, priceOf } from './prices/price-of.ts'
import { loadPriceTable } from './prices/price-table.ts'

/** A model as far as money is concerned: nothing is sent, and no key is needed. */
export interface PricedModel {
  readonly name: string
  /** Whose rules of caching hold: a simulated model caches as the provider that it imitates. */
  readonly provider: string
  /** At list price; null: nobody knows. */
  cost(usage: Usage): number | null
  readonly price_from: Price['from'] | 'unknown'
  /** Tokens that prompt and answer may have together; null: nobody knows. */
  readonly context: number | null
  /** About as many tokens as a message has. */
  sizeOf(message: Message): number
}

/** Rejects where there is no such model. `tiers`: the user's own price instead of the list's. */
export async function pricedModel(
  name: string,
  lookup: ModelLookup,
  tiers?: readonly PriceTier[],
): Promise<PricedModel> {
  const route = await findRoute(name, { ...lookup, now: Date.now(), table: loadPriceTable }).catch(asUsage)
  const price: Price | null = tiers === undefined ? await priceOf(route, loadPriceTable) : { from: 'preset', tiers }
  const at = Date.now()
  return {
    name,
    provider: route.kind === 'sim' ? imitated(name, lookup) : route.provider,
    cost: usage => costOf(usage, price, at).usd,
    price_from: price?.from ?? 'unknown',
    context: (await contextOf(route, loadPriceTable)) ?? null,
    sizeOf: await messageCounter(route),
  }
}

function imitated(name: string, { settings }: ModelLookup): string {
  const cached = behaviourOf(name, settings).tokens?.cached
  if (cached === 'prefix') return 'openai'
  return cached === 'marked' ? 'anthropic' : 'sim'
}

/** Nothing is asked of the model, so that an error is always about its name. */
function asUsage(error: unknown): never {
  if (!(error instanceof ModelError)) throw error
  throw new AssayError('usage', error.message, { cause: error, ...(error.hint !== undefined && { hint: error.hint }) })
}
