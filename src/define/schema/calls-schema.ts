import * as z from 'zod'
import { otlpProblem } from '../models/model-settings.ts'
import { text } from './parts.ts'

/** How models are called; none of it belongs to the identity of a run. */
export const calls = z.lazy(() =>
  z
    .strictObject({
      cache: z
        .boolean()
        .optional()
        .describe(
          'Reuse an answer that was given to the same question, in the same block and replicate. Default true.',
        ),
      record: text.optional().describe('A folder that all answers are written to, for `replay`.'),
      replay: text
        .optional()
        .describe('A folder that all answers are taken from: no model is called, and nothing is paid.'),
      trace: z
        .enum(['content', 'facts', 'none'])
        .optional()
        .describe('What is recorded of each call: prompts and answers too, only the facts, or nothing.'),
      otlp: text
        .superRefine((written, context) => {
          const problem = written === 'env' ? null : otlpProblem(written)
          if (problem !== null) context.addIssue({ code: 'custom', message: problem })
        })
        .optional()
        .describe(
          'An OTLP address that spans are sent to during the run, such as http://127.0.0.1:4318; `env`: that of ' +
            'OTEL_EXPORTER_OTLP_ENDPOINT, with the headers of OTEL_EXPORTER_OTLP_HEADERS.',
        ),
      otlp_in: z
        .boolean()
        .optional()
        .describe('Take the spans that a command sends by OTLP into the trace of its run. Default false.'),
    })
    .superRefine(({ trace, otlp, otlp_in }, context) => {
      if (trace !== 'none') return
      for (const [key, value] of Object.entries({ otlp, otlp_in: otlp_in || undefined }))
        if (value !== undefined)
          context.addIssue({ code: 'custom', path: [key], message: `with trace: none there is no trace for ${key}` })
    })
    .describe('How models are called: cache, recordings, traces.'),
)
