import * as z from 'zod'
import { otlpProblem } from '../../define/models/model-settings.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import type { Environment } from '../keys/access.ts'
import { resourceOf } from './resource.ts'
import { attributesOf } from './span.ts'
import type { ItemReference, StoredList } from './trace-lines.ts'

/** A span of a trace with everything it refers to. */
export interface TracedSpan {
  /** The number of its line, from 1. */
  readonly line: number
  /** As it is in the file. */
  readonly stored: JsonObject
  /** Why it is not complete: each a clause about the span. */
  readonly problems: readonly string[]
  /** The resource and scope of a span from another program; null: it is assay's own. */
  readonly origin: JsonObject | null
  /** The items of an attribute that contains a list as JSON. An item shared by several lists is one object. */
  list(attribute: string): readonly Json[]
  /** As OTLP has it, with all lists written out. */
  whole(): JsonObject
}

/** A line that is not JSON, such as the last one of a killed process. */
interface UnreadableLine {
  readonly line: number
  readonly text: string
  readonly reason: string
}

export type TraceLine = TracedSpan | UnreadableLine

/** The first items of another list, and its own further ones. */
interface List {
  readonly base: List | null
  readonly first: number
  readonly more: readonly Json[]
}

/** Longer texts break their readers. */
const mostCharacters = 100_000_000

/**
 * The spans of a `trace.jsonl`, one after the other: expanded, they may be far larger than the file. Traces in which
 * every span contains its own prompt are read the same way. A span that refers to something missing says so.
 */
export function* readTrace(text: string): Generator<TraceLine> {
  const contents = new Map<string, Json>()
  const listsOf = new Map<string, ReadonlyMap<string, List>>()
  let line = 0
  for (const written of linesOf(text)) {
    line++
    if (written.trim() === '') continue
    let data: Json
    try {
      data = JSON.parse(written)
    } catch (error) {
      yield { line, text: written, reason: messageOf(error) }
      continue
    }
    if (!isJsonObject(data)) continue
    if (data.traceId === undefined && typeof data.id === 'string' && data.content !== undefined) {
      contents.set(data.id, data.content)
      continue
    }
    const problems: string[] = []
    const lists = new Map(
      Object.entries(storedLists(data.lists, problems)).map(([attribute, stored]) => {
        const like = stored.like === undefined ? undefined : listsOf.get(stored.like)?.get(attribute)
        return [attribute, linked(stored, like, contents, problems)]
      }),
    )
    if (typeof data.spanId === 'string') listsOf.set(data.spanId, lists)
    const origin = data.origin === undefined ? null : originOf(data.origin, contents, problems)
    yield tracedSpan(line, data, { lists, origin, problems })
  }
}

/** Without a copy of the whole text. */
function* linesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    yield text.slice(from, end === -1 ? undefined : end)
    from = end === -1 ? text.length : end + 1
  }
}

const reference = z.lazy(() => z.union([z.string(), z.object({ id: z.string(), finish_reason: z.string() })]))
const storedList = z.lazy(() =>
  z.object({
    like: z.string().optional(),
    first: z.int().nonnegative().optional(),
    more: z.array(reference),
  }),
)
const storedSchema = z.lazy(() => z.record(z.string(), storedList))

function storedLists(written: Json | undefined, problems: string[]): { readonly [attribute: string]: StoredList } {
  if (written === undefined) return {}
  const { data, error } = storedSchema.safeParse(written)
  if (error !== undefined) problems.push(`has lists that can't be read (${error.issues[0]?.path.join('.')})`)
  return data ?? {}
}

function linked(
  { like, first = 0, more }: StoredList,
  base: List | undefined,
  contents: ReadonlyMap<string, Json>,
  problems: string[],
): List {
  const own = more.map(item => itemOf(item, contents, problems))
  if (like === undefined) return { base: null, first: 0, more: own }
  if (base !== undefined && first <= base.first + base.more.length) return { base, first, more: own }
  const missing = `the first ${first} messages of span ${like}`
  problems.push(`refers to ${missing}, which are not in the trace`)
  return { base: null, first: 0, more: [placeholder(`${missing}, which are not in the trace`), ...own] }
}

function itemOf(item: ItemReference, contents: ReadonlyMap<string, Json>, problems: string[]): Json {
  const id = typeof item === 'string' ? item : item.id
  const content = contents.get(id)
  if (content === undefined) {
    problems.push(`refers to message ${id}, which is not in the trace`)
    return placeholder(`message ${id}, which is not in the trace`)
  }
  if (typeof item === 'string' || !isJsonObject(content)) return content
  return { ...content, finish_reason: item.finish_reason }
}

function originOf(id: Json, contents: ReadonlyMap<string, Json>, problems: string[]): JsonObject {
  const content = typeof id === 'string' ? contents.get(id) : undefined
  if (isJsonObject(content)) return content
  problems.push(`refers to origin ${JSON.stringify(id)}, which is not in the trace`)
  return {}
}

/** In place of something that can't be shown. */
const placeholder = (content: string): Json => ({ role: 'missing', parts: [{ type: 'text', content }] })

function tracedSpan(
  line: number,
  stored: JsonObject,
  { lists, origin, problems }: Pick<TracedSpan, 'origin' | 'problems'> & { readonly lists: ReadonlyMap<string, List> },
): TracedSpan {
  const attributes = Array.isArray(stored.attributes) ? stored.attributes : []
  return {
    line,
    stored,
    problems,
    origin,
    list(attribute) {
      const list = lists.get(attribute)
      return list === undefined ? writtenOut(attributes, attribute) : itemsOf(list)
    },
    whole() {
      const { lists: _lists, origin: _origin, ...span } = stored
      if (lists.size === 0) return span
      const added = [...lists].map(([key, list]) => ({ key, value: { stringValue: textOf(itemsOf(list)) } }))
      return { ...span, attributes: [...attributes, ...added] }
    },
  }
}

function itemsOf(list: List): readonly Json[] {
  const pieces: (readonly Json[])[] = []
  let most = Number.POSITIVE_INFINITY
  for (let at: List | null = list; at !== null; at = at.base) {
    pieces.push(at.more.slice(0, Math.max(0, most - at.first)))
    most = Math.min(most, at.first)
  }
  return pieces.reverse().flat()
}

/** A list that its span contains as text. */
function writtenOut(attributes: readonly Json[], key: string): readonly Json[] {
  const found = attributes.find(attribute => isJsonObject(attribute) && attribute.key === key)
  const value = isJsonObject(found) && isJsonObject(found.value) ? found.value.stringValue : undefined
  if (typeof value !== 'string') return []
  try {
    const list: Json = JSON.parse(value)
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

function textOf(items: readonly Json[]): string {
  const texts: string[] = []
  let characters = 0
  for (const item of items) {
    const text = JSON.stringify(item)
    characters += text.length
    if (characters > mostCharacters) {
      const left = items.length - texts.length
      texts.push(JSON.stringify(placeholder(`${left} more messages, which are too long to be written out`)))
      break
    }
    texts.push(text)
  }
  return `[${texts.join(',')}]`
}

export interface TraceText {
  /** The run, added as an attribute to all its spans. */
  readonly run: string
  readonly file: string
  readonly text: string
}

/**
 * Traces of runs as one document of OTLP's JSON, which collectors and trace viewers accept. It comes in pieces: with
 * every prompt expanded it may exceed the maximum length of a string. Spans of other programs keep their resource.
 */
export function* otlpOf(traces: Iterable<TraceText>, experiment: string): Generator<string> {
  yield '{"resourceSpans":['
  let before = ''
  for (const trace of traces) {
    const about = { 'assay.experiment': experiment, 'assay.run': trace.run }
    let head = headOf(null, about)
    yield `${before}${head}`
    before = ''
    for (const span of spansIn(trace)) {
      const own = headOf(span.origin, about)
      if (own !== head) {
        yield `${closing},${own}`
        head = own
        before = ''
      }
      yield `${before}${JSON.stringify(span.whole())}`
      before = ','
    }
    yield closing
    before = ','
  }
  yield ']}\n'
}

const closing = ']}]}'

function headOf(origin: JsonObject | null, about: { readonly [name: string]: string }): string {
  const attributes = resourceOf(origin === null ? null : attributesIn(origin.resource), attributesOf(about))
  const scope = origin === null ? { name: 'assay', version } : (origin.scope ?? {})
  return `{"resource":${JSON.stringify({ attributes })},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`
}

const attributesIn = (written: Json | undefined): readonly { readonly key: string; readonly value: Json }[] =>
  (Array.isArray(written) ? written : []).flatMap(one =>
    isJsonObject(one) && typeof one.key === 'string' ? [{ key: one.key, value: one.value ?? {} }] : [],
  )

/** Without lines that were cut off, where a process was killed while it wrote or the disk was full. */
function* spansIn({ text, file }: TraceText): Generator<TracedSpan> {
  for (const read of readTrace(text)) {
    if (!('reason' in read)) yield read
    else if (!read.text.startsWith('{'))
      throw new AssayError('config', `${file}:${read.line}: is no span: ${read.reason}`)
  }
}

/** Where spans are sent. */
export interface OtlpAddress {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The address that an experiment names, or the environment's if it says `env`. The environment's headers, which contain
 * keys, go only to the environment's address. https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
export function otlpAddress(written: string, env: Environment): OtlpAddress {
  if (written !== 'env') return { url: tracesUrl(checkedUrl(written, written)), headers: {} }
  const [name, endpoint] = firstSet(env, ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'])
  if (endpoint === null)
    throw new AssayError('config', 'otlp: env, but OTEL_EXPORTER_OTLP_ENDPOINT is not set', {
      hint: 'Export it, or write the address: --otlp http://127.0.0.1:4318',
    })
  const [, protocol] = firstSet(env, ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'])
  if (protocol === 'grpc')
    throw new AssayError('config', 'OTEL_EXPORTER_OTLP_PROTOCOL is grpc; assay sends OTLP over HTTP', {
      hint: 'Most collectors take HTTP on port 4318: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json and that endpoint.',
    })
  const url = checkedUrl(endpoint, name)
  const [, headers] = firstSet(env, ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', 'OTEL_EXPORTER_OTLP_HEADERS'])
  // The variable for traces contains the complete address; a path is added to the general one.
  const isWhole = name === 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
  return { url: isWhole ? url.href : tracesUrl(url), headers: headersIn(headers ?? '') }
}

function firstSet(env: Environment, names: readonly string[]): readonly [name: string, value: string | null] {
  const name = names.find(one => (env[one] ?? '').trim() !== '')
  return name === undefined ? ['', null] : [name, env[name]?.trim() ?? null]
}

/** `key1=value1,key2=value2`, percent-encoded as in W3C's baggage. */
function headersIn(written: string): Readonly<Record<string, string>> {
  const pairs = written.split(',').flatMap(pair => {
    const at = pair.indexOf('=')
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function checkedUrl(written: string, name: string): URL {
  const problem = otlpProblem(written)
  if (problem !== null) throw new AssayError('config', `${name}: ${problem}`)
  return new URL(written)
}

function tracesUrl(url: URL): string {
  const path = url.pathname.replace(/\/+$/, '')
  const whole = new URL(url)
  whole.pathname = path.endsWith('/v1/traces') ? path : `${path}/v1/traces`
  return whole.href
}
