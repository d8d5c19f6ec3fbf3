import * as z from 'zod'
import { text } from './parts.ts'

/** How models are called; none of it belongs to the identity of a run. */
export const calls = z
  .strictObject({
    cache: z
      .boolean()
      .optional()
      .describe(
        'Use an answer again that was given to the same question, in the same block and replicate. Default true.',
      ),
    record: text.optional().describe('A folder that all answers are written to, for `replay`.'),
    replay: text.optional().describe('A folder that all answers are taken from: nothing is asked, nothing is paid.'),
    trace: z
      .enum(['content', 'facts', 'none'])
      .optional()
      .describe('What is written down of each call: prompts and answers too, only the facts, or nothing.'),
  })
  .describe('How models are called: cache, recordings, traces.')
