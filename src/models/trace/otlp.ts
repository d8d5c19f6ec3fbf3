import { AssayError, messageOf } from '../../util/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { version } from '../../util/version.ts'
import { attributesOf } from './span.ts'

export interface TraceText {
  /** The run it is of: becomes an attribute of all its spans. */
  readonly run: string
  readonly file: string
  readonly text: string
}

/** Traces of runs as one document of OTLP's JSON, which collectors and trace viewers take as it is. */
export function otlpOf(traces: readonly TraceText[], experiment: string): JsonObject {
  return plain({
    resourceSpans: traces.map(({ run, file, text }) => ({
      resource: {
        attributes: attributesOf({ 'service.name': 'assay', 'assay.experiment': experiment, 'assay.run': run }),
      },
      scopeSpans: [{ scope: { name: 'assay', version }, spans: spansIn(text, file) }],
    })),
  })
}

/** One span a line; the last may be cut off, where a process was killed while it wrote. */
function spansIn(text: string, file: string): readonly Json[] {
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return []
    try {
      const span: Json = JSON.parse(line)
      return isJsonObject(span) ? [span] : []
    } catch (error) {
      if (index === lines.length - 1) return []
      throw new AssayError('config', `${file}:${index + 1}: is no span: ${messageOf(error)}`, { cause: error })
    }
  })
}

const plain = (data: object): JsonObject => JSON.parse(JSON.stringify(data))
