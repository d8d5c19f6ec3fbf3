import * as z from 'zod'
import type { Needs, NeedsRule } from '../experiment.ts'
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

const fields = {
  cpu: z
    .number({ error: 'expected a number above 0' })
    .positive({ error: 'expected a number above 0' })
    .optional()
    .describe('CPUs.'),
  memory: size.optional().describe('Memory: 500MB, 4GB.'),
  gpu: wholeNumberAbove0.optional().describe('GPUs: a program finds those of its run in CUDA_VISIBLE_DEVICES.'),
  labels: z.array(text).default([]).describe('Labels that the machine must have: `assay worker --label docker`.'),
}

const resolved = ({ cpu = 0, memory = 0, gpu = 0, labels }: z.infer<z.ZodObject<typeof fields>>): Needs => ({
  cpu,
  memory_mb: memory,
  gpu,
  labels: [...new Set(labels)],
})

const ofAll = z.lazy(() => z.strictObject(fields).transform(resolved))

const rule = z.lazy(() =>
  z
    .strictObject({
      when: text.optional().describe("Which runs: an expression such as `model == 'large'`. Without it, every run."),
      ...fields,
    })
    .transform(({ when = null, ...needed }): NeedsRule => ({ when, ...resolved(needed) })),
)

export const needs = z.lazy(() =>
  z
    .union([ofAll, z.array(rule)])
    .describe(
      'What runs need of the machine that executes them: it limits how many run at once, and which workers take them. In a list, the first entry whose `when` is true applies to a run.',
    ),
)
