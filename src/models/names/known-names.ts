import type { ModelSetting } from '../../define/models/model-settings.ts'
import type { ProviderKind } from '../route.ts'
import presetsFile from './presets.json' with { type: 'json' }
import providersFile from './providers.json' with { type: 'json' }
import retiredFile from './retired.json' with { type: 'json' }

/** What is said about a provider in providers.json. */
export interface Provider {
  readonly title: string
  readonly kind: ProviderKind
  /** Where it is, unless its package knows. */
  readonly address?: string
  /** Environment variables that may hold its key, the first one set counts. None: it needs no key. */
  readonly keys: readonly string[]
  /** Environment variables that say where it is. */
  readonly address_from?: readonly string[]
  /** Environment variables without which it can't be used. */
  readonly settings?: readonly string[]
  /** Other words for it in `vendor/model`. */
  readonly aliases?: readonly string[]
  /** What OpenRouter calls it; null: not to be had there. Without one, as here. */
  readonly openrouter?: string | null
  /** What the price table calls it. */
  readonly prices?: string
  /** What traces call it. */
  readonly otel?: string
  readonly is_free?: boolean
  /** Names that people use, and the ids that its own API wants for them. */
  readonly ids?: { readonly [name: string]: string }
}

/** A preset is a model setting that may name several providers: the first that is set up is used. */
export type Preset = Omit<ModelSetting, 'provider'> & { readonly provider: string | readonly string[] }

interface Retired {
  readonly provider: string
  /** The day from which it is no longer there. */
  readonly on: string
  readonly nearest: string
}

// Names of models are data: these files are checked against the types by tests/models/names.
export const providers = providersFile as unknown as { readonly [name: string]: Provider }
export const presets = presetsFile as unknown as { readonly [name: string]: Preset }
export const retired = retiredFile as unknown as { readonly [model: string]: Retired }

/** The provider that a word in `vendor/model` stands for. */
export function providerNamed(word: string): string | null {
  const lower = word.toLowerCase()
  if (Object.hasOwn(providers, lower)) return lower
  return Object.entries(providers).find(([, { aliases }]) => aliases?.includes(lower))?.[0] ?? null
}

/** What traces call a provider, as the OpenTelemetry conventions list them. */
export const otelName = (provider: string): string => providers[provider]?.otel ?? provider

/** A sentence where a model is gone, or will be; null where nothing is known of it. `now`: milliseconds since 1970. */
export function retirementNote(provider: string, model: string, now: number): string | null {
  const bare = model.replace(/^.*\//, '').replace(/:[a-z]+$/, '')
  const ids = [bare, ...Object.values(providers).flatMap(({ ids: of }) => of?.[bare] ?? [])]
  const id = ids.find(one => Object.hasOwn(retired, one))
  const entry = id === undefined ? undefined : retired[id]
  if (entry === undefined || !isOf(provider, entry.provider)) return null
  const { on, nearest } = entry
  const title = providers[entry.provider]?.title ?? entry.provider
  const isGone = now >= Date.parse(on)
  return `${bare} ${isGone ? 'was' : 'will be'} retired by ${title} on ${on}; the nearest is ${nearest}`
}

const isOf = (provider: string, owner: string): boolean =>
  provider === owner || provider === 'openrouter' || (provider === 'vertex' && owner === 'google')
