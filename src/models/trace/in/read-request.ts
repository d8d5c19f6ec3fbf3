import { isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Attribute, AttributeValue, Span, SpanEvent, SpanOrigin, SpanStatus } from '../span.ts'

export interface SentSpan {
  readonly span: Span
  readonly origin: SpanOrigin
}

export interface ReadRequest {
  readonly spans: readonly SentSpan[]
  /** Why others were left out: one sentence for each. */
  readonly problems: readonly string[]
}

/** Longer texts are cut: a trace is for reading. */
const mostOfText = 65_536
const mostAttributes = 256
const mostEvents = 256

/**
 * The valid spans of an `ExportTraceServiceRequest` in OTLP's JSON: the data of another program is copied field by
 * field, so that nothing else gets into a trace. Unknown fields are left out, as OTLP requires.
 */
export function readRequest(request: Json): ReadRequest {
  const spans: SentSpan[] = []
  const problems: string[] = []
  if (!isJsonObject(request)) return { spans, problems: ['the request is no object'] }
  for (const { resource, scopeSpans } of objectsIn(request.resourceSpans)) {
    const about = attributesIn(isJsonObject(resource) ? resource.attributes : undefined)
    for (const { scope, spans: sent } of objectsIn(scopeSpans)) {
      const origin = { resource: about, scope: scopeOf(scope) }
      for (const one of objectsIn(sent)) {
        const span = spanOf(one)
        if (typeof span === 'string') problems.push(span)
        else spans.push({ span, origin })
      }
    }
  }
  return { spans, problems }
}

function spanOf(sent: JsonObject): Span | string {
  const name = textOf(sent.name)
  const traceId = idOf(sent.traceId, 32)
  const spanId = idOf(sent.spanId, 16)
  if (name === '') return 'a span has no name'
  if (traceId === null) return `span "${name}" has no valid traceId`
  if (spanId === null) return `span "${name}" has no valid spanId`
  const start = wholeNumber(sent.startTimeUnixNano)
  const end = wholeNumber(sent.endTimeUnixNano)
  if (start === null || end === null || start === '0') return `span "${name}" has no valid times`
  const parent = sent.parentSpanId === undefined || sent.parentSpanId === '' ? null : idOf(sent.parentSpanId, 16)
  const events = objectsIn(sent.events).slice(0, mostEvents).map(eventOf)
  const links = objectsIn(sent.links).slice(0, mostEvents).flatMap(linkOf)
  return {
    traceId,
    spanId,
    ...(parent !== null && { parentSpanId: parent }),
    name,
    // Not given: OTLP allows treating it as internal.
    kind: typeof sent.kind === 'number' && sent.kind >= 1 && sent.kind <= 5 ? sent.kind : 1,
    startTimeUnixNano: start,
    endTimeUnixNano: BigInt(end) < BigInt(start) ? start : end,
    attributes: attributesIn(sent.attributes),
    ...(events.length > 0 && { events }),
    ...(links.length > 0 && { links }),
    status: statusOf(sent.status),
  }
}

const eventOf = (sent: JsonObject): SpanEvent => ({
  timeUnixNano: wholeNumber(sent.timeUnixNano) ?? '0',
  name: textOf(sent.name),
  attributes: attributesIn(sent.attributes),
})

function linkOf(sent: JsonObject): readonly JsonObject[] {
  const traceId = idOf(sent.traceId, 32)
  const spanId = idOf(sent.spanId, 16)
  return traceId === null || spanId === null ? [] : [{ traceId, spanId }]
}

function statusOf(sent: Json | undefined): SpanStatus {
  if (!isJsonObject(sent)) return { code: 0 }
  const message = textOf(sent.message)
  if (sent.code === 2) return message === '' ? { code: 2 } : { code: 2, message }
  return { code: sent.code === 1 ? 1 : 0 }
}

function scopeOf(sent: Json | undefined): SpanOrigin['scope'] {
  if (!isJsonObject(sent)) return { name: '' }
  const version = textOf(sent.version)
  return { name: textOf(sent.name), ...(version !== '' && { version }) }
}

/** The last of several equal keys counts, as in OpenTelemetry's own libraries. */
function attributesIn(sent: Json | undefined): readonly Attribute[] {
  const found = new Map<string, Attribute>()
  for (const { key, value } of objectsIn(sent)) {
    const read = typeof key === 'string' && key !== '' ? valueIn(value, 0) : null
    if (read !== null && found.size < mostAttributes) found.set(textOf(key), { key: textOf(key), value: read })
  }
  return [...found.values()]
}

/** null: it is not a value. */
function valueIn(sent: Json | undefined, depth: number): AttributeValue | null {
  if (!isJsonObject(sent) || depth > 16) return null
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = sent
  if (typeof stringValue === 'string') return { stringValue: textOf(stringValue) }
  if (typeof boolValue === 'boolean') return { boolValue }
  if (intValue !== undefined) {
    const read = /^-?\d{1,19}$/.test(String(intValue)) ? String(intValue) : null
    return read === null ? null : { intValue: read }
  }
  if (doubleValue !== undefined) return Number.isFinite(doubleValue) ? { doubleValue: Number(doubleValue) } : null
  if (typeof bytesValue === 'string') return { bytesValue: textOf(bytesValue) }
  if (isJsonObject(arrayValue)) {
    const values = listOf(arrayValue.values).slice(0, mostAttributes)
    return { arrayValue: { values: values.flatMap(one => valueIn(one, depth + 1) ?? []) } }
  }
  if (!isJsonObject(kvlistValue)) return null
  const values = objectsIn(kvlistValue.values).slice(0, mostAttributes)
  return {
    kvlistValue: {
      values: values.flatMap(({ key, value }) => {
        const read = valueIn(value, depth + 1)
        return read === null ? [] : [{ key: textOf(key), value: read }]
      }),
    },
  }
}

const listOf = (sent: Json | undefined): readonly Json[] => (Array.isArray(sent) ? sent : [])
const objectsIn = (sent: Json | undefined): readonly JsonObject[] => listOf(sent).filter(isJsonObject)

function textOf(sent: Json | undefined): string {
  if (typeof sent !== 'string') return ''
  return sent.length <= mostOfText
    ? sent
    : `${sent.slice(0, mostOfText)}… (${sent.length - mostOfText} more characters)`
}

/** As lower case, which is how this project writes them. */
function idOf(sent: Json | undefined, digits: number): string | null {
  if (typeof sent !== 'string' || sent.length !== digits || !/^[0-9a-f]+$/i.test(sent) || /^0+$/.test(sent)) return null
  return sent.toLowerCase()
}

/** Times come as texts, or as numbers from programs that are not strict about it. */
function wholeNumber(sent: Json | undefined): string | null {
  if (typeof sent === 'number' && Number.isFinite(sent) && sent >= 0) return String(BigInt(Math.trunc(sent)))
  return typeof sent === 'string' && /^\d{1,20}$/.test(sent) ? sent : null
}
