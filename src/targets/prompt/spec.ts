import * as z from 'zod'
import { reasoningEfforts } from '../../define/models/model-settings.ts'
import { json, text, wholeNumberAbove0 } from '../../define/schema/parts.ts'
import { assertion } from './asserts/assert-schema.ts'

const message = z
  .strictObject({
    role: z.enum(['system', 'user', 'assistant']).describe('Who says it.'),
    content: z
      .string()
      .optional()
      .describe('What is said; {{variables}} are filled in. An assistant without content: here the model answers.'),
  })
  .superRefine(({ role, content }, context) => {
    if (role !== 'assistant' && content === undefined)
      context.addIssue({ code: 'custom', path: ['content'], message: `a ${role} message needs content` })
  })

export type PromptMessage = z.output<typeof message>

const promptText = text.describe('A text with {{variables}}, or file://path of one.')
export const promptTurns = z
  .array(message)
  .min(1, { error: 'expected at least one message' })
  .describe('A conversation, turn by turn.')

const listedPrompt = z.union([
  promptText,
  promptTurns,
  z.strictObject({
    id: text.optional().describe('Its name.'),
    label: text.optional().describe('Its name.'),
    raw: promptText.optional(),
    messages: promptTurns.optional(),
  }),
])

const prompts = z
  .union([z.record(text, z.union([promptText, promptTurns])), z.array(listedPrompt).min(1)], {
    error: 'expected prompts by name, or a list of them: texts with {{variables}}, file://paths, or lists of messages',
  })
  .describe('The prompts that are compared, by name or as a list: the levels of the factor `prompt`.')

const vars = z.record(text, json).describe('Values of {{variables}}.')
const asserts = z.array(assertion).describe('What answers are held to.')
const threshold = z
  .number()
  .min(0)
  .max(1)
  .describe('The score from which on a case has passed. Default: all asserts must hold.')

export const testCase = z.strictObject({
  id: text.optional().describe('A short name.'),
  description: text.optional().describe('A short name.'),
  vars: vars.optional(),
  assert: asserts.optional(),
  threshold: threshold.optional(),
})

export type TestCase = z.output<typeof testCase>

const tests = z
  .union([text, z.array(z.union([text, testCase]))], {
    error: 'expected a file of cases (.csv, .jsonl, .json, .yaml), or a list',
  })
  .describe('The cases: a file (CSV, JSONL, JSON, YAML) or a list. Each is a level of the block `case`.')

/** The `target` part of an experiment that asks models. promptfoo's words are understood where they mean the same. */
export const promptSpec = z
  .strictObject({
    kind: z.literal('prompt'),
    prompts,
    models: z.array(text).min(1).optional().describe('The models that are compared: the levels of the factor `model`.'),
    providers: z.array(text).min(1).optional().describe('The same as models.'),
    system: text.optional().describe('A system prompt for all prompts that have none, or file://path of one.'),
    tests: tests.optional(),
    cases: tests.optional().describe('The same as tests.'),
    vars: vars.optional(),
    assert: asserts.optional(),
    threshold: threshold.optional(),
    defaultTest: z
      .strictObject({ vars: vars.optional(), assert: asserts.optional(), threshold: threshold.optional() })
      .optional()
      .describe('vars, assert and threshold of all cases, as promptfoo writes them.'),
    judge: text.optional().describe('The model that judges llm-rubric asserts, unless they name one.'),
    schema: z
      .union([text, z.record(z.string(), json)], { error: 'expected a JSON Schema, or a file with one' })
      .optional()
      .describe('A JSON Schema that answers must satisfy, or a file with one.'),
    temperature: z
      .number()
      .min(0)
      .optional()
      .describe('How freely it answers. A factor of this name counts before it.'),
    top_p: z.number().min(0).max(1).optional(),
    max_output_tokens: wholeNumberAbove0
      .optional()
      .describe('The longest answer. Default: what the model is set to, at most 4096.'),
    reasoning: z.enum(reasoningEfforts).optional().describe('How much it thinks before it answers.'),
    stop: z.array(text).optional().describe('Texts at which the answer ends.'),
  })
  .superRefine((spec, context) => {
    for (const [one, other] of [
      ['models', 'providers'],
      ['tests', 'cases'],
    ] as const)
      if (spec[one] !== undefined && spec[other] !== undefined)
        context.addIssue({
          code: 'custom',
          path: [other],
          message: `"${other}" means the same as "${one}", and both are given`,
        })
  })

export type PromptSpec = z.output<typeof promptSpec>
