import type { ModelSetting } from '../../define/models/model-settings.ts'
import presetsFile from './presets.json' with { type: 'json' }
import providersFile from './providers.json' with { type: 'json' }
import retiredFile from './retired.json' with { type: 'json' }
import type { ProviderKind } from './route.ts'

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

export interface Retired {
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
