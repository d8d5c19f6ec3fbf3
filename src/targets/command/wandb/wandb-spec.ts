import * as z from 'zod'

const module = z
  .enum(['shim', 'real', 'off'])
  .describe(
    'Where a Python program gets `import wandb` from. shim: a small module of assay, which needs no account. real: the ' +
      'installed package, whose numbers assay gets too. off: nothing is done about it.',
  )

/** What a program that was written for Weights & Biases finds. */
export const wandbSpec = z.union([
  module,
  z.strictObject({
    module: module.default('shim'),
    project: z.string().optional().describe('What `run.project` is.'),
    entity: z.string().optional().describe('What `run.entity` is.'),
  }),
])
