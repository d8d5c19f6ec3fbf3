import { AssayError } from '../../util/errors.ts'
import { version } from '../../util/version.ts'
import { readTrace, type TracedSpan } from './read-trace.ts'
import { attributesOf } from './span.ts'

export interface TraceText {
  /** The run it is of: becomes an attribute of all its spans. */
  readonly run: string
  readonly file: string
  readonly text: string
}

/**
 * Traces of runs as one document of OTLP's JSON, which collectors and trace viewers take as it is. It comes in pieces:
 * with every prompt written out it may be larger than a text can be.
 */
export function* otlpOf(traces: Iterable<TraceText>, experiment: string): Generator<string> {
  yield '{"resourceSpans":['
  let before = ''
  for (const trace of traces) {
    const attributes = attributesOf({
      'service.name': 'assay',
      'assay.experiment': experiment,
      'assay.run': trace.run,
    })
    yield `${before}{"resource":${JSON.stringify({ attributes })},"scopeSpans":[`
    yield `{"scope":${JSON.stringify({ name: 'assay', version })},"spans":[`
    before = ''
    for (const span of spansIn(trace)) {
      yield `${before}${JSON.stringify(span.whole())}`
      before = ','
    }
    yield ']}]}'
    before = ','
  }
  yield ']}\n'
}

/** Without lines that were cut off, where a process was killed while it wrote or the disk was full. */
function* spansIn({ text, file }: TraceText): Generator<TracedSpan> {
  for (const read of readTrace(text)) {
    if (!('reason' in read)) yield read
    else if (!read.text.startsWith('{'))
      throw new AssayError('config', `${file}:${read.line}: is no span: ${read.reason}`)
  }
}
