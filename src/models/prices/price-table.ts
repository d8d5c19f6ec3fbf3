import type * as Prices from '@pydantic/genai-prices'
import type { Usage } from '../model-call.ts'
import type { TablePrice } from './price.ts'

/** The price table of @pydantic/genai-prices, read when it is first needed. */
export interface PriceTable {
  /** null: not there. */
  price(provider: string, model: string): TablePrice | null
  /** The provider of this model, by its name alone; null: none, or several have it. */
  ownerOf(model: string): string | null
  /** How many tokens prompt and answer may have together. */
  contextOf(provider: string, model: string): number | null
  /** Whether the table marks the model as deprecated. */
  isDeprecated(provider: string, model: string): boolean
  /** Whether the table contains a model. */
  isListed(provider: string, model: string): boolean
  /** Every model that it lists for a provider, for suggestions. */
  modelsOf(provider: string): readonly string[]
}

let table: Promise<PriceTable> | undefined

export function loadPriceTable(): Promise<PriceTable> {
  table ??= import('@pydantic/genai-prices').then(tableOf)
  return table
}

function tableOf({ calcPrice, findProvider }: typeof Prices): PriceTable {
  const find = (
    provider: string | undefined,
    model: string,
    usage: Usage,
    at?: number,
  ): Prices.PriceCalculation | null => {
    const options = {
      ...(provider === undefined ? {} : { providerId: provider }),
      ...(at === undefined ? {} : { timestamp: new Date(at) }),
    }
    return calcPrice(
      {
        input_tokens: usage.input_tokens,
        cache_read_tokens: usage.cached_input_tokens,
        cache_write_tokens: usage.cache_write_tokens,
        ...(usage.cache_write_1h_tokens !== undefined && { cache_write_1h_tokens: usage.cache_write_1h_tokens }),
        output_tokens: usage.output_tokens,
      },
      model,
      options,
    )
  }
  const entry = (provider: string, model: string): Prices.PriceCalculation | null => find(provider, model, small)
  return {
    price(provider, model) {
      const found = entry(provider, model)
      if (found === null || !isPriced(found)) return null
      return {
        provider: found.provider.id,
        model: found.model.id,
        cost: (usage, at) => find(provider, model, usage, at)?.total_price ?? 0,
        shown: shownPrice(found.model_price),
      }
    },
    ownerOf: model => find(undefined, model, small)?.provider.id ?? null,
    contextOf: (provider, model) => entry(provider, model)?.model.context_window ?? null,
    isDeprecated: (provider, model) => entry(provider, model)?.model.deprecated === true,
    isListed: (provider, model) => entry(provider, model) !== null,
    modelsOf: provider => findProvider({ providerId: provider })?.models.map(({ id }) => id) ?? [],
  }
}

const small: Usage = {
  input_tokens: 1,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  output_tokens: 1,
  reasoning_tokens: 0,
}

/** A model that is listed without a price for its text has no known price; that is not the same as free. */
const isPriced = ({ model_price }: Prices.PriceCalculation): boolean =>
  model_price.input_mtok !== undefined && model_price.output_mtok !== undefined

function shownPrice(prices: Prices.ModelPrice): TablePrice['shown'] {
  const { input_mtok, output_mtok, cache_read_mtok, cache_write_mtok, cache_write_1h_mtok } = prices
  return {
    above: 0,
    input: base(input_mtok) ?? 0,
    output: base(output_mtok) ?? 0,
    cached_input: base(cache_read_mtok),
    cache_write: base(cache_write_mtok),
    cache_write_1h: base(cache_write_1h_mtok),
  }
}

const base = (price: Prices.ModelPrice[string]): number | undefined =>
  price === undefined || typeof price === 'number' ? price : price.base
