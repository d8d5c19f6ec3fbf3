import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Finish, ReasoningPart, ToolCall } from '../model-call.ts'
import type { Route } from '../route.ts'
import type { SdkFinish, SdkResult, SdkUsage, SdkWarning } from './language-model.ts'
import { readUsage } from './read-usage.ts'
import type { Reply, Warning } from './transport.ts'

export interface SdkAnswer {
  readonly content: SdkResult['content']
  readonly finish: SdkFinish
  readonly usage: SdkUsage
  readonly metadata: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly model_id: string | undefined
  readonly response_id: string | undefined
  /** What the package did not send as written. */
  readonly warnings: readonly SdkWarning[]
}

/** An answer of a provider's package, in our terms. */
export function replyOf(answer: SdkAnswer, { model, provider }: Pick<Route, 'model' | 'provider'>): Reply {
  const { content } = answer
  const { usage, has_usage, cost_usd, contradictions } = readUsage(answer.usage, provider)
  return {
    text: content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
    tool_calls: content.flatMap(part => (part.type === 'tool-call' ? [toolCall(part)] : [])),
    reasoning: content.flatMap(part => (part.type === 'reasoning' ? [reasoningPart(part)] : [])),
    finish: finishes[answer.finish.unified],
    usage,
    has_usage,
    cost_usd: cost_usd ?? costInHeaders(answer),
    model_id: answer.model_id ?? model,
    response_id: answer.response_id ?? null,
    warnings: [
      ...answer.warnings.flatMap(warningOf),
      ...contradictions.map(({ name, message }) => ({
        name,
        message: `its usage contradicts itself (${name}): ${message}`,
      })),
    ],
  }
}

const finishes: { readonly [R in SdkFinish['unified']]: Finish } = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
  error: 'other',
  interrupted: 'other',
  other: 'other',
}

/** LiteLLM's proxy reports the cost of a call in a header. */
function costInHeaders({ headers }: SdkAnswer): number | null {
  const cost = Number(headers['x-litellm-response-cost'] ?? Number.NaN)
  return Number.isFinite(cost) ? cost : null
}

/** Deprecations concern our use of the package; a schema that is not sent is put into words (see `sdkOptions`). */
function warningOf(warning: SdkWarning): readonly Warning[] {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility': {
      if (warning.feature === 'responseFormat') return []
      const setting = settingNames[warning.feature] ?? warning.feature
      const details = warning.details === undefined ? '' : `: ${warning.details}`
      return [{ name: `setting ${setting}`, message: `"${setting}" is not sent as it is written${details}` }]
    }
    case 'other':
      return [{ name: warning.message, message: warning.message }]
    default:
      return []
  }
}

/** As the AI SDK calls them, and as an experiment does. */
const settingNames: { readonly [feature: string]: string } = {
  topP: 'top_p',
  maxOutputTokens: 'max_output_tokens',
  stopSequences: 'stop',
}

type Part<Type> = Extract<SdkResult['content'][number], { type: Type }>

export function toolCall({ toolCallId, toolName, input, providerMetadata }: Part<'tool-call'>): ToolCall {
  return { id: toolCallId, name: toolName, arguments: argumentsOf(input), ...providerData(providerMetadata) }
}

/** Models write arguments as text; text that is not JSON is kept, so that the tool call can be answered with an error. */
function argumentsOf(input: string): JsonObject {
  if (input.trim() === '') return {}
  try {
    const parsed: Json = JSON.parse(input)
    return isJsonObject(parsed) ? parsed : { value: parsed }
  } catch {
    return { malformed: input }
  }
}

const reasoningPart = ({ text, providerMetadata }: Part<'reasoning'>): ReasoningPart => ({
  text,
  ...providerData(providerMetadata),
})

const providerData = (metadata: unknown): { readonly provider_data?: JsonObject } =>
  isJsonObject(metadata) ? { provider_data: metadata } : {}
