import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Message, Tool } from '../model-call.ts'
import type { Route } from '../route.ts'
import { loadModel } from './load-model.ts'
import { sdkOptions } from './sdk-options.ts'
import type { SentSettings, SettingsRequest, Transport, TransportRequest } from './transport.ts'

/**
 * The settings that a provider's package would actually send for a call: packages add thinking to the limit of an
 * answer, lower it, rename settings and omit some, each by its own rules. So the package writes the request, with a
 * short question in place of the real one, and it is read instead of sent.
 */
export async function sentSettings(request: SettingsRequest): Promise<SentSettings> {
  const body = await requestBody(request)
  // The package refuses to send it: the call itself will report why.
  if (body === null) return { max_output_tokens: request.max_output_tokens, unsent: [], is_kept_long: false }
  const names = namesIn(body)
  const ignored = ignoredBy(request.route)
  const isWithout = ([setting, words]: [string, readonly string[]]): boolean =>
    isGiven(request, setting) && (ignored.includes(setting) || !words.some(word => names.has(word)))
  return {
    max_output_tokens: limitIn(body),
    unsent: [
      ...Object.entries(wireNames)
        .filter(isWithout)
        .map(([setting]) => setting),
      ...(forces(request) && !isForced(body) ? ['tool_choice'] : []),
    ],
    is_kept_long: JSON.stringify(body).includes('"ttl":"1h"'),
  }
}

/** The settings do not depend on the content: so the result is remembered for equal settings. */
export function rememberingSettings(transport: Transport): Transport {
  const known = new Map<string, Promise<SentSettings>>()
  return {
    ask: transport.ask,
    async sends(request) {
      const key = keyOf(request)
      const sent = known.get(key) ?? transport.sends(request)
      if (known.size < 1000) known.set(key, sent)
      const { is_kept_long, ...others } = await sent
      return { ...others, is_kept_long: is_kept_long || request.messages.some(isKeptLong) }
    },
  }
}

/** Other requests have further settings, or a different seed per run. */
function keyOf(request: SettingsRequest & Partial<TransportRequest>): string {
  const { route, messages, purpose, tries, run_seed, heard, tools = [], schema, seed, ...settings } = request
  return JSON.stringify([settings, tools.length > 0, schema !== undefined, seed !== undefined])
}

const isKeptLong = ({ cache }: Message): boolean => cache === '1h'

async function requestBody(request: SettingsRequest): Promise<JsonObject | null> {
  let body: JsonObject | null = null
  const read = async (_: unknown, init?: RequestInit): Promise<never> => {
    if (typeof init?.body === 'string') body = JSON.parse(init.body)
    throw new Error('this request is only read')
  }
  const { tools, schema, tool_choice: choice } = request
  const isWanted = ({ name }: Tool): boolean => typeof choice !== 'object' || choice.tool === name
  const short = {
    ...request,
    messages: [{ role: 'user' as const, content: '.' }],
    ...(tools !== undefined && { tools: tools.filter(isWanted).slice(0, 1) }),
    ...(schema !== undefined && { schema: { type: 'object', properties: {}, additionalProperties: false } }),
    tries: 1,
    run_seed: 0,
    heard: () => {},
  }
  try {
    const model = await loadModel(request.route, accessFor(request.route), read)
    await model.doGenerate(sdkOptions(short, new AbortController().signal))
  } catch {
    // Either way there is no answer.
  }
  return body
}

/** Packages need a key before they write anything. */
const accessFor = ({ key }: Route): Readonly<Record<string, string>> => ({
  ...(key !== null && { [key]: 'none' }),
  GOOGLE_VERTEX_API_KEY: 'none',
  AWS_REGION: 'us-east-1',
  AWS_BEARER_TOKEN_BEDROCK: 'none',
})

/** The possible names of each setting in a request. */
const wireNames: { readonly [setting: string]: readonly string[] } = {
  temperature: ['temperature'],
  top_p: ['top_p', 'topP'],
  stop: ['stop', 'stop_sequences', 'stopSequences'],
  reasoning: ['reasoning_effort', 'reasoning', 'thinking', 'effort', 'thinkingConfig', 'reasoningConfig'],
  seed: ['seed', 'random_seed'],
}

/** DeepSeek's reasoner takes these and does nothing with them (https://api-docs.deepseek.com/guides/reasoning_model). */
const ignoredBy = ({ provider, model }: Route): readonly string[] =>
  provider === 'deepseek' && model.includes('reasoner') ? ['temperature', 'top_p'] : []

const forces = ({ tools = [], tool_choice: choice = 'auto' }: SettingsRequest): boolean =>
  tools.length > 0 && choice !== 'auto' && choice !== 'none'

/** Packages let thinking models choose for themselves, whatever the call says. */
function isForced({ tool_choice, toolConfig, additionalModelRequestFields }: JsonObject): boolean {
  const places = [tool_choice, toolConfig, additionalModelRequestFields].filter(place => place !== undefined)
  return /"(required|any|ANY|tool|function)"/.test(JSON.stringify(places.map(withoutTools)))
}

const withoutTools = (place: Json): Json => {
  if (!isJsonObject(place)) return place
  const { tools: _, ...rest } = place
  return rest
}

/** Most models do not think unless told to. */
function isGiven(request: SettingsRequest, setting: string): boolean {
  const value: unknown = request[setting as keyof SettingsRequest]
  return value !== undefined && !(setting === 'reasoning' && value === 'none')
}

/** All keys of a request, except those of its content. */
function namesIn(body: JsonObject): ReadonlySet<string> {
  const names = new Set<string>()
  const look = (value: Json): void => {
    if (!isJsonObject(value)) return
    for (const [key, item] of Object.entries(value)) {
      if (item === null || content.has(key)) continue
      names.add(key)
      look(item)
    }
  }
  look(body)
  return names
}

const content: ReadonlySet<string> = new Set(['messages', 'contents', 'input', 'tools', 'toolConfig'])

/** Each interface has its own word; several answers have the limit each. */
function limitIn(body: JsonObject): number | null {
  const { generationConfig, inferenceConfig } = body
  const places = [body, generationConfig, inferenceConfig].filter(isJsonObject)
  const numbers = (words: readonly string[]): readonly number[] =>
    places.flatMap(place => words.map(word => place[word])).filter(value => typeof value === 'number')
  const limits = numbers(['max_completion_tokens', 'max_tokens', 'max_output_tokens', 'maxOutputTokens', 'maxTokens'])
  return limits.length === 0 ? null : Math.max(...limits) * Math.max(1, ...numbers(['n', 'candidateCount']))
}
