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

/** Where the calls of a model go: everything that follows from its name, the settings and the environment. */
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
  /** Everything that was said about it, by presets and by the user. */
  readonly setting: ModelSetting
  /** Where it stands in the price table; null: not there. */
  readonly priced_as: { readonly provider: string; readonly model: string } | null
  /** Answered by a simulated model, in place of the provider. */
  readonly is_rehearsal: boolean
  /** Whether OpenRouter would be asked instead, were its key there and this one not. */
  readonly has_detour: boolean
  /** What people should know: that it is retired, that it goes another way than written. */
  readonly notes: readonly string[]
  /** Why there may be no such model, as far as the price table knows; null: there is no reason to think so. */
  readonly doubt: { readonly message: string; readonly hint: string | undefined } | null
}
