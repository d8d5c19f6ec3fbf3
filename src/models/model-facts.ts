import type { PriceTier } from '../define/models/model-settings.ts'
import { findRoute, type RouteParts } from './find-route.ts'
import { keyDigest } from './keys/key-digest.ts'
import { ModelError, type ModelFault } from './model-error.ts'
import { providers } from './names/known-names.ts'
import type { Price } from './prices/price.ts'
import { contextOf, priceOf } from './prices/price-of.ts'
import type { Route } from './route.ts'

/** What is known of a model without asking it, as `assay models` tells it; never a key. */
export interface ModelFacts {
  readonly name: string
  readonly provider: string
  /** The provider's name for people. */
  readonly title: string
  /** The id that the provider knows. */
  readonly model: string
  readonly address: string | null
  /** The environment variable of its key; null: none is needed. */
  readonly key: string | null
  readonly has_access: boolean
  /** USD for a million tokens; null: unknown. */
  readonly price: 'free' | PriceTier | null
  readonly price_from: Price['from'] | 'unknown'
  readonly context: number | null
  readonly max_output: number | null
  readonly is_simulated: boolean
  readonly notes: readonly string[]
  /** Why it can't be used. */
  readonly problem: { readonly fault: ModelFault; readonly message: string; readonly hint: string | null } | null
}

/** Never rejects for what is wrong with a name: that is one of the facts. */
export async function modelFacts(name: string, parts: RouteParts): Promise<ModelFacts> {
  try {
    const route = await findRoute(name, parts)
    return await factsOf(route, parts)
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
    return { ...nothing, name, problem: problemOf(error) }
  }
}

async function factsOf(route: Route, parts: RouteParts): Promise<ModelFacts> {
  const price = await priceOf(route, parts.table)
  const missing = missingAccess(route, parts)
  const facts = providers[route.provider]
  return {
    name: route.name,
    provider: route.provider,
    title: (route.provider === 'openai-compatible' ? route.address : facts?.title) ?? route.provider,
    model: route.model,
    address: route.address,
    key: route.provider === 'bedrock' ? 'AWS_…' : (route.key ?? facts?.settings?.[0] ?? null),
    has_access: missing === null,
    price: shownPrice(price),
    price_from: price?.from ?? 'unknown',
    context: (await contextOf(route, parts.table)) ?? null,
    max_output: route.setting.max_output ?? null,
    is_simulated: route.kind === 'sim',
    notes: [...route.notes, ...(await deprecation(route, parts))],
    problem: missing,
  }
}

const nothing: Omit<ModelFacts, 'name' | 'problem'> = {
  provider: 'unknown',
  title: '–',
  model: '–',
  address: null,
  key: null,
  has_access: false,
  price: null,
  price_from: 'unknown',
  context: null,
  max_output: null,
  is_simulated: false,
  notes: [],
}

function missingAccess(route: Route, { env }: RouteParts): ModelFacts['problem'] {
  try {
    keyDigest(route, env)
    return null
  } catch (error) {
    if (error instanceof ModelError) return problemOf(error)
    throw error
  }
}

const problemOf = ({ fault, message, hint }: ModelError): NonNullable<ModelFacts['problem']> => ({
  fault,
  message,
  hint: hint ?? null,
})

function shownPrice(price: Price | null): ModelFacts['price'] {
  if (price === null) return null
  if (price.from === 'declared_free') return 'free'
  return price.from === 'prices' ? price.entry.shown : (price.tiers[0] ?? null)
}

/** The price table knows of some more that are on their way out. */
async function deprecation({ priced_as, notes, model }: Route, { table }: RouteParts): Promise<readonly string[]> {
  if (priced_as === null || notes.length > 0) return []
  const isOnItsWayOut = (await table()).isDeprecated(priced_as.provider, priced_as.model)
  return isOnItsWayOut ? [`${model} is on its way out, according to the price table`] : []
}

interface Unpriced {
  readonly name: string
  /** What to write under `models:` so that it has a price. */
  readonly line: string
}

/** Which of these models have no known price: under a budget nothing may start while there are any. */
export async function unpricedModels(names: readonly string[], parts: RouteParts): Promise<readonly Unpriced[]> {
  const facts = await Promise.all(names.map(name => modelFacts(name, parts)))
  return facts
    .filter(({ price, problem }) => price === null && problem?.fault !== 'unknown_model')
    .map(({ name }) => ({
      name,
      line: `${quoted(name)}: { price: { input: 0.50, output: 1.50 } }  # USD for a million tokens`,
    }))
}

/** As YAML wants a key with colons or other signs in it. */
const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : JSON.stringify(name))
