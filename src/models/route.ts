import type { ModelSetting } from '../define/models/model-settings.ts'

/** Which package speaks to a provider. */
export const providerKinds = [
  'openai',
  'anthropic',
  'google',
  'vertex',
  'bedrock',
  'openrouter',
  'openai-compatible',
  'sim',
] as const
export type ProviderKind = (typeof providerKinds)[number]

/** The route of a model's calls: everything that follows from its name, the settings and the environment. */
export interface Route {
  /** As the user wrote it. */
  readonly name: string
  /** Whose rates count: `openai`. */
  readonly provider: string
  readonly kind: ProviderKind
  /** The id that the provider knows. */
  readonly model: string
  /** null: the package's own. */
  readonly address: string | null
  /** The environment variable that the key is read from; null: none is needed. */
  readonly key: string | null
  /** All its settings, from presets and from the user. */
  readonly setting: ModelSetting
  /** Its entry in the price table; null: none. */
  readonly priced_as: { readonly provider: string; readonly model: string } | null
  /** Answered by a simulated model, in place of the provider. */
  readonly is_rehearsal: boolean
  /** Whether OpenRouter would be asked instead, were its key there and this one not. */
  readonly has_detour: boolean
  /** Notes for the user: that it is retired, that its route differs from what was written. */
  readonly notes: readonly string[]
  /** Why there may be no such model, according to the price table; null: there is no reason for doubt. */
  readonly doubt: { readonly message: string; readonly hint: string | undefined } | null
}
