import type { ModelSettings } from '../../define/models/model-settings.ts'
import { settingOf } from '../../models/names/settings-of.ts'
import type { SweagentSpec } from './spec.ts'

/** A model in LiteLLM's settings. */
export interface LitellmModel {
  readonly name: string
  readonly api_base?: string | undefined
  /** The name of a variable. */
  readonly api_key?: string | undefined
  readonly max_input_tokens?: number | undefined
  readonly max_output_tokens?: number | undefined
  readonly isBedrock: boolean
}

interface Provider {
  readonly prefix: string
  readonly api_base?: string
  readonly api_key?: string
  /** Whether LiteLLM knows the sizes of its models itself. */
  readonly knowsSizes?: true
}

/** LiteLLM's names for the providers of the presets, and their addresses. */
const providers: { readonly [provider: string]: Provider } = {
  openai: { prefix: '', api_key: 'OPENAI_API_KEY', knowsSizes: true },
  anthropic: { prefix: '', api_key: 'ANTHROPIC_API_KEY', knowsSizes: true },
  deepseek: { prefix: 'deepseek/', api_base: 'https://api.deepseek.com/v1', api_key: 'DEEPSEEK_API_KEY' },
  zai: { prefix: 'anthropic/', api_base: 'https://api.z.ai/api/anthropic', api_key: 'ZHIPUAI_API_KEY' },
  moonshot: { prefix: 'anthropic/', api_base: 'https://api.kimi.com/coding/', api_key: 'MOONSHOT_API_KEY' },
  minimax: { prefix: 'openai/', api_base: 'https://api.minimax.io/v1', api_key: 'MINIMAX_API_KEY' },
  openrouter: { prefix: 'openrouter/', api_key: 'OPENROUTER_API_KEY', knowsSizes: true },
  bedrock: { prefix: 'bedrock/converse/' },
}

/** null: neither the experiment nor assay knows how LiteLLM calls it. */
export function litellmModel(name: string, { models }: SweagentSpec, settings: ModelSettings): LitellmModel | null {
  const written = Object.hasOwn(models, name) ? models[name] : undefined
  if (written !== undefined) return { ...written, isBedrock: written.name.startsWith('bedrock/') }
  const known = settingOf(name, settings)
  const provider = typeof known?.provider === 'string' ? providers[known.provider] : undefined
  if (known === null || provider === undefined) return null
  const { prefix, knowsSizes, ...place } = provider
  return {
    name: `${prefix}${known.model ?? name}`,
    ...place,
    ...(knowsSizes !== true && { max_input_tokens: known.context, max_output_tokens: known.max_output }),
    isBedrock: known.provider === 'bedrock',
  }
}
