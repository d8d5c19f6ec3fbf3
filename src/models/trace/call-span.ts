import type { Content, Message, ModelAnswer, ModelCall, Usage } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { otelName } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import { attributesOf, nanoseconds, type Span } from './span.ts'

export interface TracedCall {
  readonly call: ModelCall
  /** null: the answer was kept, so nobody was asked. */
  readonly route: Route | null
  readonly answer: ModelAnswer | null
  readonly error: unknown
  /** Also of a try that failed, if it was told. */
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly tries: number
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number
}

/** Attributes whose value is a list as JSON, by name. */
export interface SpanLists {
  readonly [attribute: string]: readonly object[]
}

/**
 * A try of a call as a span, with the attributes of OpenTelemetry's conventions for generative AI
 * (https://opentelemetry.io/docs/specs/semconv/gen-ai/); attributes they have no name for begin with `assay.`.
 * Prompt and answer are in {@link contentOf}.
 */
export function callSpan(traced: TracedCall, { traceId, spanId }: Pick<Span, 'traceId' | 'spanId'>): Span {
  const { call, route, answer, error, usage, started_at, ended_at } = traced
  const model = route?.model ?? answer?.model_id ?? call.model
  const attributes = attributesOf({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': otelName(route?.provider ?? answer?.provider ?? 'unknown'),
    'gen_ai.request.model': model,
    'gen_ai.request.temperature': call.temperature,
    'gen_ai.request.top_p': call.top_p,
    'gen_ai.request.max_tokens': call.max_output_tokens,
    'gen_ai.request.seed': call.seed,
    'gen_ai.request.stop_sequences': call.stop,
    'assay.request.tool_choice': toolChoice(call),
    'assay.request.parallel_tool_calls': call.parallel_tool_calls,
    'gen_ai.output.type': call.schema === undefined ? 'text' : 'json',
    'gen_ai.response.model': answer?.model_id,
    'gen_ai.response.finish_reasons': answer === null ? null : [answer.finish],
    'gen_ai.usage.input_tokens': usage?.input_tokens,
    'gen_ai.usage.output_tokens': usage?.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cached_input_tokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cache_write_tokens,
    'server.address': route?.address === null ? null : hostOf(route?.address),
    'error.type': error === null ? null : errorType(error),
    'http.response.status_code': error instanceof ModelError ? error.status : null,
    'assay.model': call.model,
    'assay.purpose': call.purpose,
    'assay.tries': traced.tries,
    'assay.cost_usd': traced.cost_usd,
    'assay.cost_from': answer?.cost_from,
    'assay.saved_usd': answer?.saved_usd,
    'assay.is_cached': answer?.is_cached,
    'assay.is_rehearsal': route?.is_rehearsal === true ? true : null,
    'assay.usage.reasoning_tokens': usage?.reasoning_tokens,
  })
  return {
    traceId,
    spanId,
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: nanoseconds(started_at),
    endTimeUnixNano: nanoseconds(ended_at),
    attributes,
    status: error === null ? { code: 1 } : { code: 2, message: error instanceof Error ? error.message : String(error) },
  }
}

/** What was sent and what came back. */
export function contentOf({ call, answer }: TracedCall): SpanLists {
  return {
    'gen_ai.input.messages': call.messages.map(messageParts),
    ...(call.tools !== undefined && { 'gen_ai.tool.definitions': call.tools }),
    ...(answer !== null && { 'gen_ai.output.messages': [outputParts(answer)] }),
  }
}

const toolChoice = ({ tool_choice: choice }: ModelCall): string | undefined =>
  typeof choice === 'object' ? `tool ${choice.tool}` : choice

const errorType = (error: unknown): string =>
  error instanceof ModelError ? error.fault : error instanceof Error ? error.name : 'cancelled'

function hostOf(address: string | null | undefined): string | null {
  return address === null || address === undefined || !URL.canParse(address) ? null : new URL(address).hostname
}

interface MessageParts {
  readonly role: string
  readonly parts: readonly object[]
}

function messageParts(message: Message): MessageParts {
  const { role } = message
  if (message.role === 'tool')
    return {
      role,
      parts: [
        {
          type: 'tool_call_response',
          id: message.tool_call_id,
          response: typeof message.content === 'string' ? message.content : contentParts(message.content),
          ...(message.is_error === true && { is_error: true }),
        },
      ],
      ...cacheMark(message),
    }
  if (message.role !== 'assistant') return { role, parts: contentParts(message.content), ...cacheMark(message) }
  const { content, reasoning = [], tool_calls = [] } = message
  return { role, parts: partsOf(content, reasoning, tool_calls), ...cacheMark(message) }
}

const cacheMark = ({ cache }: Message): object => (cache === undefined ? {} : { cache })

function contentParts(content: Content): MessageParts['parts'] {
  if (typeof content === 'string') return [{ type: 'text', content }]
  return content.map(part => {
    if (part.type === 'text') return { type: 'text', content: part.text }
    const { media_type: mime_type, name } = part
    const about = { modality: mime_type.split('/')[0], mime_type, ...(name !== undefined && { name }) }
    return 'url' in part ? { type: 'uri', ...about, uri: part.url } : { type: 'blob', ...about, content: part.data }
  })
}

const outputParts = ({ text, reasoning, tool_calls, finish }: ModelAnswer): object => ({
  role: 'assistant',
  parts: partsOf(text, reasoning, tool_calls),
  finish_reason: finish === 'tool_calls' ? 'tool_call' : finish,
})

const partsOf = (
  text: string,
  reasoning: ModelAnswer['reasoning'],
  toolCalls: ModelAnswer['tool_calls'],
): MessageParts['parts'] => [
  ...reasoning.map(part => ({ type: 'reasoning', content: part.text })),
  ...(text === '' ? [] : [{ type: 'text', content: text }]),
  ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given })),
]
