import type { ModelSetting } from '../../define/models/model-settings.ts'
import type { ProviderKind } from '../route.ts'
import presetsFile from './presets.json' with { type: 'json' }
import providersFile from './providers.json' with { type: 'json' }
import retiredFile from './retired.json' with { type: 'json' }

/** An entry of providers.json. */
export interface Provider {
  readonly title: string
  readonly kind: ProviderKind
  /** Its address, unless its package knows it. */
  readonly address?: string
  /** Environment variables that may contain its key; the first one that is set counts. Empty: it needs no key. */
  readonly keys: readonly string[]
  /** Environment variables for its address. */
  readonly address_from?: readonly string[]
  /** Environment variables without which it can't be used. */
  readonly settings?: readonly string[]
  /** Other words for it in `vendor/model`. */
  readonly aliases?: readonly string[]
  /** Its name at OpenRouter; null: not available there. Default: the same name. */
  readonly openrouter?: string | null
  /** Its name in the price table. */
  readonly prices?: string
  /** Its name in traces. */
  readonly otel?: string
  readonly is_free?: boolean
  /** Common names, and the ids that its own API uses for them. */
  readonly ids?: { readonly [name: string]: string }
}

/** A preset is a model setting that may name several providers: the first that is set up is used. */
export type Preset = Omit<ModelSetting, 'provider'> & { readonly provider: string | readonly string[] }

interface Retired {
  readonly provider: string
  /** The day from which it is unavailable. */
  readonly on: string
  readonly nearest: string
}

// Names of models are data: these files are checked against the types by tests/models/names.
export const providers = providersFile as unknown as { readonly [name: string]: Provider }
export const presets = presetsFile as unknown as { readonly [name: string]: Preset }
export const retired = retiredFile as unknown as { readonly [model: string]: Retired }

/** The provider that a word in `vendor/model` means. */
export function providerNamed(word: string): string | null {
  const lower = word.toLowerCase()
  if (Object.hasOwn(providers, lower)) return lower
  return Object.entries(providers).find(([, { aliases }]) => aliases?.includes(lower))?.[0] ?? null
}

/** A provider's name in traces, as listed in the OpenTelemetry conventions. */
export const otelName = (provider: string): string => providers[provider]?.otel ?? provider

/** A sentence if a model is retired, or will be; null if nothing is known. `now`: milliseconds since 1970. */
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
