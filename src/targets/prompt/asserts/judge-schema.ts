import * as z from 'zod'
import { reasoningEfforts } from '../../../define/models/model-settings.ts'
import { text, wholeNumberAbove0 } from '../../../define/schema/parts.ts'

export const rubricPrompt = z.lazy(() =>
  z
    .union([text, z.array(z.strictObject({ role: z.enum(['system', 'user', 'assistant']), content: text })).min(1)], {
      error: 'expected a text, file://path of one, or a list of messages',
    })
    .describe(
      'What the judge is asked instead of assay’s own words: {{rubric}}, {{question}}, {{output}} and the variables of the case are filled in. It must ask for JSON with reason, score (0 to 1) and pass.',
    ),
)

const names = z.lazy(() => z.union([text, z.array(text).min(1)], { error: 'expected a model, or a list of models' }))

/** The judge and its settings. */
export const judgeSpec = z.lazy(() =>
  z
    .union(
      [
        names,
        z.strictObject({
          model: names.describe('The model that judges; several are a panel, whose majority decides.'),
          times: wholeNumberAbove0.optional().describe('How often each is asked. Default 1.'),
          temperature: z
            .number()
            .min(0)
            .nullable()
            .optional()
            .describe('Default 0; null: none is sent, as some reasoning models want it.'),
          max_output_tokens: wholeNumberAbove0
            .optional()
            .describe('The longest verdict, thinking included. Default 1024, and 8192 where that was too short.'),
          reasoning: z.enum(reasoningEfforts).optional().describe('How much it thinks before it judges.'),
          prompt: rubricPrompt.optional(),
        }),
      ],
      {
        error: 'expected a model, a list of models, or a map with model, times, temperature, max_output_tokens, prompt',
      },
    )
    .describe('The model that judges llm-rubric asserts: a name, several (a panel), or a map with settings.'),
)

export type JudgeSpec = z.output<typeof judgeSpec>
export type RubricPrompt = z.output<typeof rubricPrompt>
