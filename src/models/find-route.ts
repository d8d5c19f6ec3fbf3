import type { ModelSetting, ModelSettings } from '../define/models/model-settings.ts'
import { didYouMean } from '../util/suggest.ts'
import { type Environment, firstSet, isSetUp } from './keys/access.ts'
import { ModelError } from './model-error.ts'
import { type Preset, presets, providerNamed, providers, retirementNote } from './names/known-names.ts'
import { prefixOf } from './names/prefixed-name.ts'
import { type FullSetting, settingOf } from './names/settings-of.ts'
import type { PriceTable } from './prices/price-table.ts'
import type { Route } from './route.ts'

export interface RouteParts {
  readonly settings: ModelSettings
  readonly env: Environment
  /** Milliseconds since 1970: whether a model is retired depends on it. */
  readonly now: number
  /** Asked only for names that neither settings nor presets know. */
  table(): Promise<PriceTable>
}

/** The route of a model's calls. Rejects with a ModelError if it can't be determined. */
export async function findRoute(name: string, parts: RouteParts): Promise<Route> {
  const known = settingOf(name, parts.settings)
  const setting = known ?? {}
  if (name.startsWith('sim/') && setting.provider === undefined && Object.hasOwn(parts.settings, name))
    return routeTo(name, 'sim', setting, parts)
  if (setting.provider !== undefined) return routeTo(name, chosen(setting.provider, setting, parts), setting, parts)
  const written = setting.model ?? name
  if (written.startsWith('sim/')) throw unknown(written, 'there is no such simulated model', [simNames(parts)])
  const route = await routeOfName(name, written, setting, parts)
  return known === null ? { ...route, doubt: await doubtAbout(route, parts) } : route
}

/** `vendor/model`, `provider:model`, `provider:api:model`, or the model alone. */
async function routeOfName(name: string, written: string, setting: FullSetting, parts: RouteParts): Promise<Route> {
  const prefixed = prefixOf(written)
  if (prefixed !== null) {
    const { provider, model, api } = prefixed
    const route = vendorRoute(name, provider, model, { ...(api !== undefined && { api }), ...setting }, parts, 'direct')
    return { ...route, has_detour: false }
  }
  const slash = written.indexOf('/')
  if (slash > 0) return vendorRoute(name, written.slice(0, slash), written.slice(slash + 1), setting, parts)
  const owner = await ownerOf(written, parts)
  return vendorRoute(name, owner, written, setting, parts)
}

/** A model unknown to a provider whose models are listed; null: it is known, or there is no list. */
async function doubtAbout({ provider, model, priced_as }: Route, { table }: RouteParts): Promise<Route['doubt']> {
  const { title = provider, ids = {} } = providers[provider] ?? {}
  if (priced_as === null || model.endsWith(':free') || Object.values(ids).includes(model)) return null
  const prices = await table()
  if (prices.isListed(priced_as.provider, model)) return null
  const own = Object.entries(presets).flatMap(([preset, one]) =>
    one.provider === provider || one.provider.includes(provider) ? [preset] : [],
  )
  const listed = prices.modelsOf(priced_as.provider)
  return { message: `${title} is not known to have a model "${model}"`, hint: nearestOf(model, [own, listed]) }
}

/** Several providers may serve it: the first that is set up, or else the first. */
function chosen(provider: string | readonly string[], { key }: FullSetting, { env }: RouteParts): string {
  if (typeof provider === 'string') return provider
  return provider.find(one => isSetUp(one, env, key)) ?? provider[0] ?? ''
}

/** `vendor/model` goes to the vendor if its key is set, else to OpenRouter; `direct`: to the vendor in any case. */
function vendorRoute(
  name: string,
  vendor: string,
  model: string,
  setting: FullSetting,
  parts: RouteParts,
  way: 'either' | 'direct' = 'either',
): Route {
  const known = providerNamed(vendor)
  const route = (provider: string, id: string): Route => routeTo(name, provider, { ...setting, model: id }, parts)
  if (known === null) return route('openrouter', `${vendor}/${model}`)
  const { openrouter: slug = known, ids = {}, kind } = providers[known] ?? {}
  const openrouter = way === 'direct' ? null : slug
  const isSlug = kind !== 'bedrock' && known !== 'ollama' && /:[a-z]+$/.test(model)
  if (known === 'openrouter') return route('openrouter', model)
  if (openrouter !== null && isSlug) return route('openrouter', `${openrouter}/${model}`)
  const goesAround = openrouter !== null && !isSetUp(known, parts.env, setting.key) && isSetUp('openrouter', parts.env)
  if (goesAround) return route('openrouter', `${openrouter}/${model}`)
  const id = ids[model] ?? (kind === 'bedrock' ? model.replace(/^converse\//, '') : model)
  const direct = routeTo(name, known, { ...limitsOf(known, id), ...setting, model: id }, parts)
  return { ...direct, has_detour: openrouter !== null }
}

/**
 * The limits in a preset for a model that is written with its vendor; the preset's address and price belong to another
 * plan.
 */
function limitsOf(provider: string, id: string): FullSetting {
  const isIt = ([name, preset]: [string, Preset]): boolean =>
    preset.provider === provider && (preset.model ?? name) === id
  const { context, max_output, tools, api } = Object.entries(presets).find(isIt)?.[1] ?? {}
  return { context, max_output, tools, ...(api === 'responses' ? { api } : {}) }
}

function routeTo(name: string, provider: string, setting: FullSetting, parts: RouteParts): Route {
  const known = providerNamed(provider)
  const facts = known === null ? undefined : providers[known]
  if (known === null || facts === undefined)
    throw unknown(name, `there is no provider "${provider}"`, [Object.keys(providers)], provider)
  const { env } = parts
  const model = withRegion(setting.model ?? name, env)
  const address = setting.address ?? addressFrom(env, facts.address_from ?? []) ?? facts.address ?? null
  if (known === 'openai-compatible' && address === null)
    throw new ModelError('unknown_model', `${name}: its settings name no address`, {
      model: name,
      provider: known,
      cost: 'nothing',
      hint: 'say where it is served: address: http://127.0.0.1:8000/v1',
    })
  const note = facts.kind === 'sim' ? null : retirementNote(known, model, parts.now)
  return {
    name,
    provider: known,
    kind: setting.api === 'anthropic' && facts.kind !== 'sim' ? 'anthropic' : facts.kind,
    model,
    address,
    key: setting.key ?? firstSet(env, facts.keys) ?? facts.keys[0] ?? null,
    setting: { ...setting, provider: known } satisfies ModelSetting,
    priced_as: facts.prices === undefined ? null : { provider: facts.prices, model },
    is_rehearsal: false,
    has_detour: false,
    notes: note === null ? [] : [note],
    doubt: null,
  }
}

/** `{region}` in the id of a model on Bedrock: the group of regions it is called in. */
function withRegion(model: string, env: Environment): string {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? ''
  const group = ['eu', 'us'].find(one => region.startsWith(`${one}-`))
  return model.replace('{region}', group === undefined ? '' : `${group}.`)
}

/** Ollama's own variable is a host and a port; its OpenAI-compatible side is under /v1. */
function addressFrom(env: Environment, names: readonly string[]): string | null {
  const name = firstSet(env, names)
  if (name === null) return null
  const written = (env[name] ?? '').trim().replace(/\/+$/, '')
  const url = /^https?:\/\//.test(written) ? written : `http://${written}`
  return name.startsWith('OLLAMA') && new URL(url).pathname === '/' ? `${url}/v1` : url
}

/** The vendor of a model that is named without one. */
async function ownerOf(model: string, parts: RouteParts): Promise<string> {
  const table = await parts.table()
  const owner = table.ownerOf(model)
  const vendor = owner === null ? null : providerOfPrices(owner)
  if (vendor !== null) return vendor
  // OpenRouter offers all models, and needs the vendor's name.
  const sellers = Object.entries(providers).flatMap(([name, { prices }]) => {
    if (prices === undefined || name === 'vertex' || name === 'openrouter') return []
    return table.price(prices, model)?.provider === prices ? [name] : []
  })
  const [only] = sellers
  if (only !== undefined && sellers.length === 1) return only
  if (sellers.length > 1)
    throw new ModelError('unknown_model', `${model}: several providers have it: ${sellers.join(', ')}`, {
      model,
      provider: 'unknown',
      cost: 'nothing',
      hint: `say which: ${sellers.map(seller => `${seller}/${model}`).join(' or ')}`,
    })
  const makers = ['openai', 'anthropic', 'google', 'deepseek', 'moonshotai', 'zai', 'minimax', 'mistral', 'x-ai']
  const own = [...Object.keys(parts.settings), ...Object.keys(presets)]
  if (Object.hasOwn(parts.settings, model))
    throw new ModelError('unknown_model', `${model}: its settings don't say who provides it`, {
      model,
      provider: 'unknown',
      cost: 'nothing',
      hint: `name a provider under models: { ${JSON.stringify(model)}: { provider: openai-compatible, address: … } }`,
    })
  throw unknown(model, 'no preset, price table or setting knows it', [own, makers.flatMap(table.modelsOf)])
}

const providerOfPrices = (prices: string): string | null =>
  Object.entries(providers).find(([, provider]) => provider.prices === prices)?.[0] ?? null

const simNames = ({ settings }: RouteParts): readonly string[] =>
  [...Object.keys(settings), ...Object.keys(presets)].filter(name => name.startsWith('sim/'))

/** `known`: first the names that are suggested before all others. */
function unknown(name: string, why: string, known: readonly (readonly string[])[], word = name): ModelError {
  return new ModelError('unknown_model', `${name}: ${why}`, {
    model: name,
    provider: 'unknown',
    cost: 'nothing',
    hint: nearestOf(word, known) ?? 'assay models list shows what is known; a models: section adds others',
  })
}

function nearestOf(word: string, known: readonly (readonly string[])[]): string | undefined {
  for (const names of known) {
    const hint = didYouMean(word, names)
    if (hint !== undefined) return hint
  }
  return undefined
}
