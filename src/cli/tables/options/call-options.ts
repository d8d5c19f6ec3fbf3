import { text } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** How language models are called, cached and recorded. */
export const callOptions = {
  rehearse: flag({
    group: 'Models',
    description: 'simulate every model at its real price, in a separate directory, to see what the run would cost',
  }),
  record: value({
    group: 'Models',
    value: 'folder',
    description: 'record every answer in this folder, for --replay',
    parse: text,
  }),
  replay: value({
    group: 'Models',
    value: 'folder',
    description: 'take every answer from this recording; no model is called',
    parse: text,
  }),
  noCache: flag({ group: 'Models', description: 'ignore cached answers' }),
  noTrace: flag({ group: 'Models', aliases: ['no-weave'], description: 'write no traces of model calls' }),
  noTraceContent: flag({ group: 'Models', description: 'leave prompts and answers out of traces' }),
  otlp: value({
    group: 'Models',
    value: 'address',
    description:
      'send spans to this OTLP address during the run, e.g. http://127.0.0.1:4318; env: use OTEL_EXPORTER_OTLP_*',
    parse: text,
  }),
  otlpIn: flag({ group: 'Models', description: "add the spans that a command sends to its run's trace" }),
} as const satisfies Record<string, OptionSpec>
