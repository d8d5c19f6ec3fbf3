import { text } from '../../parse-values.ts'
import { flag, type OptionSpec, value } from './option.ts'

/** How language models are called, kept and written down. */
export const callOptions = {
  rehearse: flag({
    group: 'Models',
    description: 'simulate every model at its real price, in a directory of its own: what it would cost, for nothing',
  }),
  record: value({
    group: 'Models',
    value: 'folder',
    description: 'keep every answer there, so that --replay can give it again',
    parse: text,
  }),
  replay: value({
    group: 'Models',
    value: 'folder',
    description: 'take every answer from there: nothing is asked, nothing is paid',
    parse: text,
  }),
  noCache: flag({ group: 'Models', description: 'ask again what was asked before' }),
  noTrace: flag({ group: 'Models', aliases: ['no-weave'], description: 'write no trace of calls' }),
  noTraceContent: flag({ group: 'Models', description: 'leave prompts and answers out of what is written down' }),
  otlp: value({
    group: 'Models',
    value: 'address',
    description:
      'send spans there while runs go on, such as http://127.0.0.1:4318; env: where OTEL_EXPORTER_OTLP_* say',
    parse: text,
  }),
  otlpIn: flag({ group: 'Models', description: 'take the spans that a command sends into the trace of its run' }),
} as const satisfies Record<string, OptionSpec>
