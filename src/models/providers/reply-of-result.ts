import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Finish, ReasoningPart, ToolCall, Usage } from '../model-call.ts'
import type { SdkFinish, SdkResult, SdkUsage } from './language-model.ts'
import type { Reply } from './transport.ts'

export interface SdkAnswer {
  readonly content: SdkResult['content']
  readonly finish: SdkFinish
  readonly usage: SdkUsage
  readonly metadata: unknown
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly model_id: string | undefined
  readonly response_id: string | undefined
}

/** What a provider's package made of an answer, in our words. `asked`: the id that was asked for. */
export function replyOf(answer: SdkAnswer, asked: string): Reply {
  const { content, usage } = answer
  return {
    text: content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(''),
    tool_calls: content.flatMap(part => (part.type === 'tool-call' ? [toolCall(part)] : [])),
    reasoning: content.flatMap(part => (part.type === 'reasoning' ? [reasoningPart(part)] : [])),
    finish: finishes[answer.finish.unified],
    usage: usageOf(usage),
    has_usage: usage.inputTokens.total !== undefined && usage.outputTokens.total !== undefined,
    cost_usd: ownFigure(answer),
    model_id: answer.model_id ?? asked,
    response_id: answer.response_id ?? null,
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

function usageOf({ inputTokens, outputTokens }: SdkUsage): Usage {
  const input = inputTokens.total ?? 0
  const output = outputTokens.total ?? 0
  const cached = Math.min(inputTokens.cacheRead ?? 0, input)
  return {
    input_tokens: input,
    cached_input_tokens: cached,
    cache_write_tokens: Math.min(inputTokens.cacheWrite ?? 0, input - cached),
    output_tokens: output,
    reasoning_tokens: Math.min(outputTokens.reasoning ?? 0, output),
  }
}

/** What the provider itself says that it charges: OpenRouter in the usage, LiteLLM's proxy in a header. */
function ownFigure({ usage, headers }: SdkAnswer): number | null {
  const raw: { readonly [key: string]: unknown } = usage.raw ?? {}
  if (typeof raw.cost === 'number') return raw.cost + upstream(raw)
  const header = Number(headers['x-litellm-response-cost'] ?? Number.NaN)
  return Number.isFinite(header) ? header : null
}

/** With a key of one's own at OpenRouter, what its provider charges comes on top. */
function upstream({ is_byok, cost_details }: { readonly [key: string]: unknown }): number {
  if (is_byok !== true || typeof cost_details !== 'object' || cost_details === null) return 0
  const { upstream_inference_cost: cost } = cost_details as { readonly upstream_inference_cost?: unknown }
  return typeof cost === 'number' ? cost : 0
}

type Part<Type> = Extract<SdkResult['content'][number], { type: Type }>

export function toolCall({ toolCallId, toolName, input, providerMetadata }: Part<'tool-call'>): ToolCall {
  return { id: toolCallId, name: toolName, arguments: argumentsOf(input), ...providerData(providerMetadata) }
}

/** Models write arguments as text; what is no JSON is kept as it is, for whoever answers the tool call. */
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
