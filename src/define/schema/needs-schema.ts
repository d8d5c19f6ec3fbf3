import * as z from 'zod'
import type { Needs } from '../experiment.ts'
import { text, wholeNumberAbove0 } from './parts.ts'

const expectedSize = 'expected a size such as 500MB or 4GB'

/** In MiB, as machines count their memory. */
const size = z
  .string({ error: expectedSize })
  .meta({ pattern: '^\\d+(\\.\\d+)?\\s*[MGT]B?$' })
  .transform((written, context) => {
    const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([MGT])B?$/.exec(written) ?? []
    if (amount !== undefined && Number(amount) > 0) return Math.ceil(Number(amount) * (mebi[unit] ?? 1))
    context.addIssue(expectedSize)
    return z.NEVER
  })

const mebi: { readonly [unit: string]: number } = { M: 1, G: 1024, T: 1024 * 1024 }

export const needs = z
  .strictObject({
    cpu: z
      .number({ error: 'expected a number above 0' })
      .positive({ error: 'expected a number above 0' })
      .optional()
      .describe('CPUs.'),
    memory: size.optional().describe('Memory: 500MB, 4GB.'),
    gpu: wholeNumberAbove0.optional().describe('GPUs: a program finds those of its run in CUDA_VISIBLE_DEVICES.'),
    labels: z.array(text).default([]).describe('Labels that the machine must have: `assay worker --label docker`.'),
  })
  .transform(
    ({ cpu = 0, memory = 0, gpu = 0, labels }): Needs => ({
      cpu,
      memory_mb: memory,
      gpu,
      labels: [...new Set(labels)],
    }),
  )
  .describe(
    'What each run needs of the machine that executes it. It limits how many run at once, and which workers take them.',
  )
