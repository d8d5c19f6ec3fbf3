import * as z from 'zod'

/** The `target` part of an experiment that calls a function. */
export const functionSpec = z.strictObject({
  kind: z.literal('function'),
  module: z
    .string()
    .min(1)
    .describe(
      "A TypeScript or JavaScript file, relative to the configuration file's folder, then to the working directory.",
    ),
  export: z.string().min(1).optional().describe('The name of the exported function; `default` unless given.'),
})

export type FunctionSpec = z.infer<typeof functionSpec>
