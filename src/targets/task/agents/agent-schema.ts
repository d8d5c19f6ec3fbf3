import * as z from 'zod'
import { text } from '../../../define/schema/parts.ts'

/** An agent that is a program: how it is started in the box, and how it gets its instruction. */
export const agentCommand = z.lazy(() =>
  z
    .strictObject({
      command: z
        .array(z.string())
        .min(1)
        .describe(
          'The program and its arguments. {model}, {instruction}, {instruction_file}, {workdir}, {base_url} and parameters of the run are filled in.',
        ),
      instruction: z
        .enum(['argument', 'file', 'stdin'])
        .optional()
        .describe(
          'How it gets the instruction: as {instruction} or the last argument, as {instruction_file}, or on standard input. Default: stdin, unless a placeholder says otherwise.',
        ),
      env: z.record(text, z.string()).optional().describe('Environment variables for it, with the same placeholders.'),
      pass_env: z
        .array(text)
        .optional()
        .describe(
          'Variables of this machine that the agent may see. Keys of models are not needed: it calls them through assay.',
        ),
      mounts: z
        .array(text)
        .optional()
        .describe('Files and folders of this machine that the box shows, read-only, such as the program itself.'),
    })
    .describe('An agent of your own.'),
)

export type AgentCommand = z.output<typeof agentCommand>
