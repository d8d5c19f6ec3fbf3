import * as z from 'zod'
import { programKeys } from '../../define/dialects/registry.ts'
import { word } from '../../define/schema/parts.ts'

const outcomeOfExitCode = z.enum(['completed', 'failed', 'infra_error', 'rate_limited', 'cost_limited', 'timed_out'])

/** The `target` part of an experiment that runs a program. */
export const commandSpec = z.lazy(() =>
  z
    .strictObject({
      kind: z.literal('command'),
      command: z
        .union([z.array(word).min(1, 'the command is empty: its first item is the program'), z.string().min(1)])
        .describe(
          'The program and its arguments as a list; one line of text needs `shell: true`. {name} stands for a parameter, ' +
            'a block or one of seed, replicate, ablation, run_id, run_dir, out_dir, params_json; {flags} for the flags of ' +
            'the ablation; {{ and }} for braces. ${args} and the other macros of W&B sweeps stand for all parameters, ' +
            '${envvar:NAME} for an environment variable.',
        ),
      program: z.string().min(1).optional().describe('What ${program} stands for in the command.'),
      shell: z.boolean().optional().describe('Gives the command, one line of text, to /bin/sh; values are quoted.'),
      cwd: z.string().optional().describe("The working directory; relative to the configuration file's folder."),
      env: z
        .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
        .optional()
        .describe('Environment variables, besides the inherited ones; {name} as in the command.'),
      pass_params: z
        .strictObject({
          order: z.array(z.string()).optional().describe('The parameters that come first, in this order.'),
          out_dir: z.string().optional().describe("The flag for the run's output directory, e.g. --out_dir."),
          switches: z
            .array(z.string())
            .optional()
            .describe('Parameters that are bare flags where their value is true, as Python sees it: not 0, not empty.'),
        })
        .optional()
        .describe('Appends every parameter as `--name value`: true as a bare flag, false and null not at all.'),
      ...programKeys,
      exit_codes: z
        .record(z.string().regex(/^\d+$/, 'an exit code is a number from 0 to 255'), outcomeOfExitCode)
        .optional()
        .describe(
          'What exit codes mean, e.g. {3: infra_error}. Otherwise 0 is completed, 75 infra_error, others failed.',
        ),
      daemons: z
        .enum(['end', 'keep'])
        .optional()
        .describe(
          'What happens to processes in a session of their own that a program leaves behind when it exits: end (usual), or keep, e.g. for build servers that several runs share.',
        ),
    })
    .superRefine((spec, context) => {
      const isText = typeof spec.command === 'string'
      if (isText && spec.shell !== true)
        context.addIssue({
          code: 'custom',
          path: ['command'],
          message: `one line of text is only understood by a shell: write command: ${asList(String(spec.command))}, or add shell: true`,
        })
      if (!isText && spec.shell === true)
        context.addIssue({
          code: 'custom',
          path: ['command'],
          message: 'with shell: true the command is one line of text',
        })
    }),
)

export type CommandSpec = z.infer<typeof commandSpec>

const asList = (line: string): string => JSON.stringify(line.trim().split(/\s+/)).replaceAll('","', '", "')
