import type { Content, Message, ModelAnswer, ModelCall, Usage } from '../model-call.ts'
import { ModelError } from '../model-error.ts'
import { otelName } from '../names/known-names.ts'
import type { Route } from '../route.ts'
import { attributesOf, nanoseconds, type Span, type SpanEvent, type SpanFacts, type SpanStatus } from './span.ts'

/** A call as a whole: all its tries are one span. */
export interface TracedCall {
  readonly call: ModelCall
  /** null: the answer was cached, so no model was called. */
  readonly route: Route | null
  readonly answer: ModelAnswer | null
  readonly error: unknown
  /** Those that reached a provider, in order; empty if the answer was cached. */
  readonly tries: readonly TracedTry[]
  /** Milliseconds since 1970. */
  readonly started_at: number
  readonly ended_at: number
}

/** One try of a call. */
export interface TracedTry {
  /** The how-many-th, from 1. */
  readonly number: number
  /** Also for a failed try, if it was reported. */
  readonly usage: Usage | null
  readonly cost_usd: number | null
  readonly error: unknown
  readonly started_at: number
  readonly ended_at: number
}

/** Attributes whose value is a list as JSON, by name. */
export interface SpanLists {
  readonly [attribute: string]: readonly object[]
}

/** The part of a call's span that needs neither ids nor a parent. */
type CallSpan = Omit<Span, 'traceId' | 'spanId' | 'parentSpanId'>

/**
 * A call as a span, with the attributes of OpenTelemetry's conventions for generative AI
 * (https://github.com/open-telemetry/semantic-conventions-genai/blob/main/docs/gen-ai/client-inference.md). Tokens and
 * cost are those of all its tries; a try that failed is an event. Prompt and answer are in {@link contentOf}.
 */
export function callSpan(traced: TracedCall): CallSpan {
  const { call, route, answer, error, tries, started_at, ended_at } = traced
  const model = route?.model ?? answer?.model_id ?? call.model
  const isKept = answer !== null && tries.length === 0
  const usage = isKept ? answer.usage : sumOfUsages(tries)
  const facts: SpanFacts = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': otelName(route?.provider ?? answer?.provider ?? 'unknown'),
    'gen_ai.request.model': model,
    'gen_ai.request.temperature': call.temperature,
    'gen_ai.request.top_p': call.top_p,
    'gen_ai.request.max_tokens': call.max_output_tokens,
    'gen_ai.request.seed': call.seed,
    'gen_ai.request.stop_sequences': call.stop,
    'gen_ai.request.reasoning.level': call.reasoning,
    'assay.request.tool_choice': toolChoice(call),
    'assay.request.parallel_tool_calls': call.parallel_tool_calls,
    'gen_ai.output.type': call.schema === undefined ? 'text' : 'json',
    'gen_ai.response.id': answer?.response_id,
    'gen_ai.response.model': answer?.model_id,
    'gen_ai.response.finish_reasons': [answer === null ? 'error' : finishOf(answer)],
    ...usageFacts(usage),
    ...placeOf(route?.address ?? null),
    ...errorFacts(error),
    'assay.model': call.model,
    'assay.purpose': call.purpose,
    'assay.tries': tries.length,
    'assay.cost_usd': isKept ? 0 : sumOfCosts(tries),
    'assay.cost_from': answer?.cost_from,
    'assay.saved_usd': answer?.saved_usd,
    'assay.is_cached': answer?.is_cached,
    'assay.is_rehearsal': route?.is_rehearsal === true ? true : null,
  }
  const events = tries.filter(one => one.error !== null).map(failedTry)
  return {
    name: `chat ${model}`,
    kind: 3,
    startTimeUnixNano: nanoseconds(started_at),
    endTimeUnixNano: nanoseconds(ended_at),
    attributes: attributesOf(facts),
    ...(events.length > 0 && { events }),
    status: statusOf(error),
  }
}

const failedTry = ({ number, usage, cost_usd, error, started_at, ended_at }: TracedTry): SpanEvent => ({
  timeUnixNano: nanoseconds(ended_at),
  name: 'assay.try_failed',
  attributes: attributesOf({
    'assay.try': number,
    'assay.try.duration_ms': ended_at - started_at,
    'assay.cost_usd': cost_usd,
    ...usageFacts(usage),
    ...errorFacts(error),
    'error.message': errorText(error),
  }),
})

/** null if no try reported its usage. */
function sumOfUsages(tries: readonly TracedTry[]): Usage | null {
  const told = tries.flatMap(({ usage }) => usage ?? [])
  if (told.length === 0) return null
  const sum = (pick: (usage: Usage) => number): number => told.reduce((before, usage) => before + pick(usage), 0)
  return {
    input_tokens: sum(usage => usage.input_tokens),
    cached_input_tokens: sum(usage => usage.cached_input_tokens),
    cache_write_tokens: sum(usage => usage.cache_write_tokens),
    output_tokens: sum(usage => usage.output_tokens),
    reasoning_tokens: sum(usage => usage.reasoning_tokens),
  }
}

/** null as soon as one try has no known cost. */
const sumOfCosts = (tries: readonly TracedTry[]): number | null =>
  tries.reduce<number | null>((sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd), 0)

const usageFacts = (usage: Usage | null): SpanFacts => ({
  'gen_ai.usage.input_tokens': usage?.input_tokens,
  'gen_ai.usage.output_tokens': usage?.output_tokens,
  'gen_ai.usage.cache_read.input_tokens': usage?.cached_input_tokens,
  'gen_ai.usage.cache_write.input_tokens': usage?.cache_write_tokens,
  'gen_ai.usage.reasoning.output_tokens': usage?.reasoning_tokens,
})

function placeOf(address: string | null): SpanFacts {
  if (address === null || !URL.canParse(address)) return {}
  const { hostname, port, protocol } = new URL(address)
  return { 'server.address': hostname, 'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port) }
}

/** The class of an error, low in cardinality; empty if there is none. */
export const errorFacts = (error: unknown): SpanFacts =>
  error === null
    ? {}
    : {
        'error.type': errorType(error),
        'http.response.status_code': error instanceof ModelError ? error.status : null,
      }

export const statusOf = (error: unknown): SpanStatus =>
  error === null ? { code: 0 } : { code: 2, message: errorText(error) }

/** The prompt and the answer. */
export function contentOf({ call, answer }: TracedCall): SpanLists {
  return {
    'gen_ai.input.messages': call.messages.map(messageParts),
    ...(call.tools !== undefined && {
      'gen_ai.tool.definitions': call.tools.map(tool => ({ type: 'function', ...tool })),
    }),
    ...(answer !== null && { 'gen_ai.output.messages': [outputParts(answer)] }),
  }
}

const toolChoice = ({ tool_choice: choice }: ModelCall): string | undefined =>
  typeof choice === 'object' ? `tool ${choice.tool}` : choice

/** A run that is stopped is so by a plain reason with a kind and a message. */
function errorType(error: unknown): string {
  if (error instanceof ModelError) return error.fault
  if (error instanceof Error) return error.name
  return isObject(error) && 'kind' in error ? String(error.kind) : '_OTHER'
}

const errorText = (error: unknown): string =>
  isObject(error) && 'message' in error ? String(error.message) : String(error)

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

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
  finish_reason: finishOf({ finish }),
})

/** OpenTelemetry's word for it. */
const finishOf = ({ finish }: Pick<ModelAnswer, 'finish'>): string => (finish === 'tool_calls' ? 'tool_call' : finish)

const partsOf = (
  text: string,
  reasoning: ModelAnswer['reasoning'],
  toolCalls: ModelAnswer['tool_calls'],
): MessageParts['parts'] => [
  ...reasoning.map(part => ({ type: 'reasoning', content: part.text })),
  ...(text === '' ? [] : [{ type: 'text', content: text }]),
  ...toolCalls.map(({ id, name, arguments: given }) => ({ type: 'tool_call', id, name, arguments: given })),
]
