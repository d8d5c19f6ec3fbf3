import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import type { ModelSettings, PriceTier } from '../define/models/model-settings.ts'
import { AssayError, messageOf, systemCode } from '../util/errors.ts'
import { suggest } from '../util/suggest.ts'
import { effectiveCall } from './calls/call-bound.ts'
import { findRoute, type RouteParts } from './find-route.ts'
import { type Environment, isSetUp } from './keys/access.ts'
import { keyDigest } from './keys/key-digest.ts'
import type { Message, ModelCall, Usage } from './model-call.ts'
import { ModelError, type ModelFault } from './model-error.ts'
import { presets, providerNamed, providers } from './names/known-names.ts'
import { behaviourOf } from './names/settings-of.ts'
import { messageCounter } from './prices/count-tokens.ts'
import { costOf, type Price } from './prices/price.ts'
import { contextOf, priceOf } from './prices/price-of.ts'
import { loadPriceTable } from './prices/price-table.ts'
import { takesMarks } from './providers/refuse-unsupported.ts'
import { sentSettings } from './providers/sent-settings.ts'
import type { Route } from './route.ts'

/** What a model is looked up with: the user's settings, and the places of keys and addresses. */
export interface ModelLookup {
  readonly settings: ModelSettings
  readonly env: Environment
}

/**
 * The environment, plus the `.env` files of these folders. The environment itself takes precedence, then the folders in
 * their order.
 */
export function environmentFor(folders: readonly string[], env: Environment): Environment {
  const files = [...new Set(folders)].map(folder => readEnv(join(folder, '.env')))
  const set = Object.entries(env).filter(([, value]) => value !== undefined)
  return Object.assign({}, ...files.reverse(), Object.fromEntries(set))
}

function readEnv(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(systemCode(error) ?? '')) return {}
    throw new AssayError('config', `${file}: can't be read: ${messageOf(error)}`, { cause: error })
  }
}

const partsOf = (lookup: ModelLookup): RouteParts => ({ ...lookup, now: Date.now(), table: loadPriceTable })

/** The facts about a model that are known without calling it, as shown by `assay models`; never a key. */
export interface ModelFacts {
  readonly name: string
  readonly provider: string
  /** The provider's display name. */
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
  /** Whether its provider needs marks for the end of the cached prompt. */
  readonly takes_cache_marks: boolean
  readonly notes: readonly string[]
  /** Why there may be no such model at its provider. */
  readonly doubt: Route['doubt']
  /** Why it can't be used. */
  readonly problem: { readonly fault: ModelFault; readonly message: string; readonly hint: string | null } | null
}

/** Never rejects because of a wrong name: that is one of the facts. */
export async function modelFacts(name: string, lookup: ModelLookup): Promise<ModelFacts> {
  const parts = partsOf(lookup)
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
    takes_cache_marks: takesMarks(route),
    notes: [...route.notes, ...(await deprecation(route, parts)), ...doubtNotes(route)],
    doubt: route.doubt,
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
  takes_cache_marks: false,
  notes: [],
  doubt: null,
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

/** The price table knows of more models that are being retired. */
async function deprecation({ priced_as, notes, model }: Route, { table }: RouteParts): Promise<readonly string[]> {
  if (priced_as === null || notes.length > 0) return []
  const isOnItsWayOut = (await table()).isDeprecated(priced_as.provider, priced_as.model)
  return isOnItsWayOut ? [`${model} is on its way out, according to the price table`] : []
}

const doubtNotes = ({ doubt }: Route): readonly string[] =>
  doubt === null ? [] : [[doubt.message, ...(doubt.hint === undefined ? [] : [doubt.hint])].join('; ')]

interface Unpriced {
  readonly name: string
  /** What to write under `models:` so that it has a price. */
  readonly line: string
}

/** Which of these models have no known price: under a budget nothing may start while there are any. */
export async function unpricedModels(names: readonly string[], lookup: ModelLookup): Promise<readonly Unpriced[]> {
  const facts = await Promise.all(names.map(name => modelFacts(name, lookup)))
  return facts
    .filter(({ price, problem }) => price === null && problem?.fault !== 'unknown_model')
    .map(({ name }) => ({
      name,
      line: `${quoted(name)}: { price: { input: 0.50, output: 1.50 } }  # USD for a million tokens`,
    }))
}

/** A key with colons or other special characters, quoted for YAML. */
const quoted = (name: string): string => (/^[\w./-]+$/.test(name) ? name : JSON.stringify(name))

/**
 * The settings of each call that have no effect at its provider, by their names in an experiment. No call is made. All
 * calls are of one model; empty if the model is unknown.
 */
export async function idleSettings(
  calls: readonly ModelCall[],
  lookup: ModelLookup,
): Promise<readonly (readonly string[])[]> {
  const [first] = calls
  if (first === undefined) return []
  const route = await findRoute(first.model, partsOf(lookup)).catch((error: unknown) => {
    if (error instanceof ModelError) return null
    throw error
  })
  const idle: (readonly string[])[] = []
  for (const call of calls)
    idle.push(
      route === null || route.kind === 'sim'
        ? []
        : (await sentSettings({ ...effectiveCall(call, route), route })).unsent,
    )
  return idle
}

/** A provider, and whether calls to it can be tried. */
export interface ProviderFacts {
  readonly name: string
  readonly title: string
  /** Environment variables that it needs; empty: it can be used as it is. */
  readonly variables: readonly string[]
  readonly is_set_up: boolean
}

export const providerFacts = (env: Environment): readonly ProviderFacts[] =>
  Object.entries(providers).map(([name, { title, keys, settings }]) => ({
    name,
    title,
    variables: settings ?? keys,
    is_set_up: isSetUp(name, env),
  }))

/** The provider of this name, or the one that was probably meant; null: none is similar. */
export function providerMeant(name: string, settings: ModelSettings): string | null {
  const known = [...Object.keys(providers), ...Object.values(settings).flatMap(({ provider }) => provider ?? [])]
  return known.includes(name) ? name : (providerNamed(name) ?? suggest(name, known))
}

/** Names of models that need no settings: all, or the first of each provider whose key is set. */
export function presetNames(env?: Environment): readonly string[] {
  if (env === undefined) return Object.keys(presets)
  return Object.entries(providers).flatMap(([provider, { keys }]) => {
    if (keys.length === 0 || !isSetUp(provider, env)) return []
    const first = Object.entries(presets).find(([, preset]) => [preset.provider].flat().includes(provider))
    return first === undefined ? [] : [first[0]]
  })
}

/** The price-related facts of a model: nothing is sent, and no key is needed. */
export interface PricedModel {
  readonly name: string
  /** Whose caching rules apply: a simulated model caches like the provider that it imitates. */
  readonly provider: string
  /** At list price; null: unknown. */
  cost(usage: Usage): number | null
  readonly price_from: Price['from'] | 'unknown'
  /** The most tokens of prompt and answer together; null: unknown. */
  readonly context: number | null
  /** About as many tokens as a message has. */
  sizeOf(message: Message): number
}

/** Rejects if there is no such model. `tiers`: the user's own price instead of the list price. */
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

/** The model is never called, so an error is always about its name. */
function asUsage(error: unknown): never {
  if (!(error instanceof ModelError)) throw error
  throw new AssayError('usage', error.message, { cause: error, ...(error.hint !== undefined && { hint: error.hint }) })
}
