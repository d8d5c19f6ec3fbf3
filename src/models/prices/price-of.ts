import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import type { Price } from './price.ts'
import type { PriceTable } from './price-table.ts'

/** What a model costs: as its settings say, else as the price table says, else nobody knows (null). */
export async function priceOf(route: Route, table: () => Promise<PriceTable>): Promise<Price | null> {
  const { price } = route.setting
  if (price === 'free') return { from: 'declared_free' }
  if (price !== undefined) return { from: 'preset', tiers: price }
  if (route.model.endsWith(':free') || providers[route.provider]?.is_free === true) return { from: 'declared_free' }
  if (route.priced_as === null) return null
  const entry = (await table()).price(route.priced_as.provider, route.priced_as.model)
  return entry === null ? null : { from: 'prices', entry }
}
