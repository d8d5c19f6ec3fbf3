import type { JsonObject } from '../../util/json.ts'

/** A span as OTLP spells it in JSON (opentelemetry-proto, trace/v1); numbers of 64 bits are texts there. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  /** 1: inside a process, 3: a client of something else; other programs' spans may have others. */
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly events?: readonly SpanEvent[]
  readonly links?: readonly JsonObject[]
  readonly status: SpanStatus
}

/** The program that made a span, if it was not assay. */
export interface SpanOrigin {
  readonly resource: readonly Attribute[]
  readonly scope: { readonly name: string; readonly version?: string }
}

export interface SpanEvent {
  readonly timeUnixNano: string
  readonly name: string
  readonly attributes: readonly Attribute[]
}

/** 0: not set, as OpenTelemetry recommends for operations without an error; 1: fine; 2: an error. */
export interface SpanStatus {
  readonly code: 0 | 1 | 2
  readonly message?: string
}

export interface Attribute {
  readonly key: string
  readonly value: AttributeValue
}

export type AttributeValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly bytesValue: string }
  | { readonly arrayValue: { readonly values: readonly AttributeValue[] } }
  | { readonly kvlistValue: { readonly values: readonly Attribute[] } }

/**
 * Every attribute that assay writes, with its one type. Collectors index an attribute by its first type and refuse
 * others, so a temperature of 1 is a double like one of 0.5. Names are OpenTelemetry's if it has one
 * (https://github.com/open-telemetry/semantic-conventions-genai); the others begin with `assay.`.
 */
const attributeTypes = {
  'assay.attempt': 'int',
  'assay.cost_from': 'string',
  'assay.cost_usd': 'double',
  'assay.experiment': 'string',
  'assay.is_cached': 'boolean',
  'assay.is_rehearsal': 'boolean',
  'assay.model': 'string',
  'assay.original.trace_id': 'string',
  'assay.outcome': 'string',
  'assay.purpose': 'string',
  'assay.replicate': 'int',
  'assay.request.parallel_tool_calls': 'boolean',
  'assay.request.tool_choice': 'string',
  'assay.run': 'string',
  'assay.saved_usd': 'double',
  'assay.seed': 'int',
  'assay.tries': 'int',
  'assay.try': 'int',
  'assay.try.duration_ms': 'double',
  'error.message': 'string',
  'error.type': 'string',
  'gen_ai.agent.description': 'string',
  'gen_ai.agent.id': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.agent.version': 'string',
  'gen_ai.evaluation.explanation': 'string',
  'gen_ai.evaluation.name': 'string',
  'gen_ai.evaluation.score.label': 'string',
  'gen_ai.evaluation.score.value': 'double',
  'gen_ai.operation.name': 'string',
  'gen_ai.output.type': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.model': 'string',
  'gen_ai.request.reasoning.level': 'string',
  'gen_ai.request.seed': 'int',
  'gen_ai.request.stop_sequences': 'string[]',
  'gen_ai.request.temperature': 'double',
  'gen_ai.request.top_p': 'double',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.response.id': 'string',
  'gen_ai.response.model': 'string',
  'gen_ai.tool.call.arguments': 'string',
  'gen_ai.tool.call.id': 'string',
  'gen_ai.tool.call.result': 'string',
  'gen_ai.tool.description': 'string',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_write.input_tokens': 'int',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.reasoning.output_tokens': 'int',
  'http.response.status_code': 'int',
  'server.address': 'string',
  'server.port': 'int',
  'service.name': 'string',
  'service.version': 'string',
} as const

type AttributeName = keyof typeof attributeTypes
type AttributeType = (typeof attributeTypes)[AttributeName]

type PlainOf<T extends AttributeType> = T extends 'string'
  ? string
  : T extends 'boolean'
    ? boolean
    : T extends 'string[]'
      ? readonly string[]
      : number

export type SpanFacts = {
  readonly [Name in AttributeName]?: PlainOf<(typeof attributeTypes)[Name]> | null | undefined
}

/** Attributes from plain data; null, undefined and numbers that are not finite are left out. */
export function attributesOf(facts: SpanFacts): readonly Attribute[] {
  return Object.entries(facts).flatMap(([key, value]) => {
    const given = value === undefined || value === null ? null : otlpValue(attributeTypes[key as AttributeName], value)
    return given === null ? [] : [{ key, value: given }]
  })
}

function otlpValue(type: AttributeType, value: string | number | boolean | readonly string[]): AttributeValue | null {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value !== 'number') return { arrayValue: { values: value.map(text => ({ stringValue: text })) } }
  if (!Number.isFinite(value)) return null
  return type === 'double' ? { doubleValue: value } : { intValue: String(BigInt(Math.round(value))) }
}

/** Milliseconds since 1970 in OTLP's nanoseconds. */
export const nanoseconds = (ms: number): string => `${BigInt(Math.round(ms * 1000))}000`
