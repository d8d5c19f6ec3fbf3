import { otlpProblem } from '../../define/models/model-settings.ts'
import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import type { Environment } from '../keys/access.ts'
import { readTrace, type TracedSpan } from './read-trace.ts'
import { resourceOf } from './resource.ts'
import { attributesOf } from './span.ts'

export interface TraceText {
  /** The run it is of: becomes an attribute of all its spans. */
  readonly run: string
  readonly file: string
  readonly text: string
}

/**
 * Traces of runs as one document of OTLP's JSON, which collectors and trace viewers take as it is. It comes in pieces:
 * with every prompt written out it may be larger than a text can be. Spans of other programs keep their resource.
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
 * The address that an experiment names, or that of the environment where it says `env`. The environment's headers, which
 * hold keys, go to the environment's address alone. https://opentelemetry.io/docs/specs/otel/protocol/exporter/
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
  // The variable for traces alone holds the whole address; to the general one a path is added.
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
