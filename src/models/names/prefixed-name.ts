import type { ModelSetting } from '../../define/models/model-settings.ts'
import { didYouMean } from '../../util/suggest.ts'
import { ModelError } from '../model-error.ts'
import { providerNamed, providers } from './known-names.ts'

interface PrefixedName {
  readonly provider: string
  readonly model: string
  readonly api?: ModelSetting['api']
}

/**
 * `provider:model` and `provider:api:model`, as promptfoo writes them; null: the name has no prefix. A prefix that is not
 * understood is refused: a name with colons is like other names only by chance.
 */
export function prefixOf(name: string): PrefixedName | null {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(name)?.[1]
  if (scheme !== undefined)
    throw refused(
      name,
      `this is an address (${scheme}://), not the name of a model`,
      'a model at another address belongs under models: { mine: { provider: openai-compatible, address: …, model: … } }',
    )
  const colon = name.indexOf(':')
  const slash = name.indexOf('/')
  if (colon < 0 || (slash >= 0 && slash < colon)) return null
  const word = name.slice(0, colon)
  const rest = name.slice(colon + 1)
  // OpenAI's own ids of fine-tuned models.
  if (word === 'ft') return { provider: 'openai', model: name }
  const provider = providerNamed(word)
  if (rest === '') throw refused(name, 'it names no model', 'the model goes after the provider: openai:gpt-4o')
  if (provider === null) throw refused(name, `"${word}" is no provider`, hintFor(word, name))
  return { provider, ...modelAndApi(name, provider, rest) }
}

function modelAndApi(name: string, provider: string, rest: string): Omit<PrefixedName, 'provider'> {
  const [, word = '', model = ''] = /^([a-z]+):(.+)$/.exec(rest) ?? []
  if (otherApis.includes(word))
    throw refused(name, `"${word}" is not asked here: only answers in text are`, `leave it out: ${provider}:${model}`)
  if (word === 'responses' || word === 'chat') return provider === 'openai' ? { model, api: word } : { model }
  if (word === 'messages') return { model, ...(provider !== 'anthropic' && { api: 'anthropic' as const }) }
  return { model: rest }
}

/** Other APIs under a provider's name that are not conversations. */
const otherApis: readonly string[] = [
  'assistant',
  'completion',
  'embedding',
  'embeddings',
  'image',
  'moderation',
  'realtime',
  'speech',
  'transcription',
  'video',
]

/** Ollama's models have tags: `qwen3:8b`. */
function hintFor(word: string, name: string): string {
  const words = Object.entries(providers).flatMap(([id, { aliases = [] }]) => [id, ...aliases])
  const near = didYouMean(word, words)
  return (
    near ?? `for a model on this machine: ollama/${name}; otherwise a provider goes before the model: openai:gpt-4o`
  )
}

const refused = (name: string, why: string, hint: string): ModelError =>
  new ModelError('unknown_model', `${name}: ${why}`, { model: name, provider: 'unknown', cost: 'nothing', hint })
