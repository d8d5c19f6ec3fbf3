import * as z from 'zod'

/** How a function declares that it calls models; see {@link completeModels}. */
export const callsModels = z.lazy(() =>
  z
    .union([z.boolean(), z.array(z.string().min(1)).min(1)])
    .optional()
    .describe(
      'Models that the function calls through `context.models`: the levels of the factor `model`, or `true` for whichever. Its cost is then limited call by call. Known by itself where the experiment has `models:`, or a factor `model` of known names; `false` denies it.',
    ),
)

/** The `target` part of an experiment that calls a function. */
export const functionSpec = z.lazy(() =>
  z.strictObject({
    kind: z.literal('function'),
    module: z
      .string()
      .min(1)
      .describe(
        "A TypeScript or JavaScript file, relative to the configuration file's folder, then to the working directory.",
      ),
    export: z.string().min(1).optional().describe('The name of the exported function; `default` unless given.'),
    models: callsModels,
  }),
)

export type FunctionSpec = z.infer<typeof functionSpec>
