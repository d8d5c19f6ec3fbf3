import * as z from 'zod'
import { text, usd, wholeNumberAbove0, wholeNumberFrom0 } from '../../define/schema/parts.ts'

/** The part of an experiment that says how an installed SWE-agent is called. */
export const sweagentSpec = z.lazy(() =>
  z.strictObject({
    kind: z.literal('sweagent').describe('A batch of an installed SWE-agent: one variant over all its instances.'),
    program: text.default('sweagent').describe('The program, by name or path.'),
    checkout: text
      .default('.')
      .describe('The folder with its `config/`: where it is started, and where generated configurations are written.'),
    configs: z
      .record(text, text)
      .default({})
      .describe('Base configurations by strategy, where they are not those of the-complexity-trap.'),
    keys: z
      .record(text, text)
      .default({})
      .describe('What settings are called in the processors of those configurations: { hp_sum_keep_m: keep_last_m }.'),
    subset: text.default('verified').describe('The dataset: verified, verified-mini or lite.'),
    split: text.default('test'),
    slice: z.string().optional().describe('Which instances, as a Python slice: ":5".'),
    shuffle: z.boolean().default(false),
    shuffle_seed: z.int().default(42),
    num_workers: wholeNumberAbove0.default(1),
    call_limit: wholeNumberFrom0.default(250).describe('Calls for an instance.'),
    cost_limit: usd.default(0).describe('USD for an instance; 0: no limit.'),
    models: z
      .record(
        text,
        z.strictObject({
          name: text.describe('As LiteLLM calls it.'),
          api_base: text.optional(),
          api_key: text
            .regex(/^[A-Z_][A-Z0-9_]*$/, { error: 'expected the name of an environment variable, not a key' })
            .optional()
            .describe('The environment variable that holds the key: its name is passed, never its value.'),
          max_input_tokens: wholeNumberAbove0.optional(),
          max_output_tokens: wholeNumberAbove0.optional(),
        }),
      )
      .default({})
      .describe('How LiteLLM reaches models that assay does not know, by name.'),
  }),
)

export type SweagentSpec = z.output<typeof sweagentSpec>
