import { providers } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import type { Price } from './price.ts'
import type { PriceTable } from './price-table.ts'

/** The most tokens of prompt and answer together, according to its settings or the price table. */
export async function contextOf(
  { setting, priced_as }: Route,
  table: () => Promise<PriceTable>,
): Promise<number | undefined> {
  if (setting.context !== undefined || priced_as === null) return setting.context
  return (await table()).contextOf(priced_as.provider, priced_as.model) ?? undefined
}

/** A model's price: from its settings, else from the price table, else unknown (null). */
export async function priceOf(route: Route, table: () => Promise<PriceTable>): Promise<Price | null> {
  const { price } = route.setting
  if (price === 'free') return { from: 'declared_free' }
  if (price !== undefined) return { from: 'preset', tiers: price }
  if (route.model.endsWith(':free') || providers[route.provider]?.is_free === true) return { from: 'declared_free' }
  if (route.priced_as === null) return null
  const entry = (await table()).price(route.priced_as.provider, route.priced_as.model)
  return entry === null ? null : { from: 'prices', entry }
}
