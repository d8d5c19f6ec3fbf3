import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
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
