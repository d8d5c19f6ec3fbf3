import * as z from 'zod'
import type { OutputSpec } from '../experiment.ts'
import { pathInRun, text, word } from './parts.ts'

export const inputs = z.lazy(() =>
  z
    .array(text)
    .describe(
      'Files, or patterns of files, whose content belongs to the identity of a run: change one, and runs are stale.',
    ),
)

const output = z.lazy(() =>
  z.union(
    [
      pathInRun.transform((path): OutputSpec => ({ path, required: true })),
      z.strictObject({
        path: pathInRun.describe("Relative to the run's directory."),
        required: z.boolean().default(true).describe('Whether a run that ends without it has failed. Default true.'),
      }),
    ],
    { error: 'expected a path, or { path, required }' },
  ),
)

export const outputs = z.lazy(() =>
  z.array(output).describe('Files that a run must leave in its directory; without them it has failed.'),
)

const command = z.lazy(() =>
  z.union([text, z.array(word.pipe(text)).min(1)], {
    error: 'expected a command: a list of words, or one line for the shell',
  }),
)

export const hooks = z.lazy(() =>
  z
    .strictObject({
      setup: command.optional().describe('Run once before the first run. If it fails, nothing is run.'),
      cleanup: command.optional().describe('Run once at the end, even after failures.'),
    })
    .transform(({ setup = null, cleanup = null }) => ({ setup, cleanup }))
    .describe('Commands around the experiment.'),
)
