import * as z from 'zod'
import { reasoningEfforts } from '../../define/models/model-settings.ts'
import { json, text, wholeNumberAbove0 } from '../../define/schema/parts.ts'
import { assertion } from './asserts/assert-schema.ts'
import { judgeSpec, rubricPrompt } from './asserts/judge-schema.ts'

const message = z.lazy(() =>
  z
    .strictObject({
      role: z.enum(['system', 'user', 'assistant']).describe('The role of the message.'),
      content: z
        .string()
        .optional()
        .describe('What is said; {{variables}} are filled in. An assistant without content: here the model answers.'),
    })
    .superRefine(({ role, content }, context) => {
      if (role !== 'assistant' && content === undefined)
        context.addIssue({ code: 'custom', path: ['content'], message: `a ${role} message needs content` })
    }),
)

export type PromptMessage = z.output<typeof message>

const promptText = text.describe('A text with {{variables}}, or file://path of one.')
export const promptTurns = z.lazy(() =>
  z.array(message).min(1, { error: 'expected at least one message' }).describe('A conversation, turn by turn.'),
)

/** A key of promptfoo that is not supported here, with what to use instead. */
const notDone = (message: string) => z.never({ error: message }).optional()

const listedPrompt = z.lazy(() =>
  z.union([
    promptText,
    promptTurns,
    z.strictObject({
      id: text.optional().describe('Its name, or file://path of the prompt.'),
      label: text.optional().describe('Its name.'),
      raw: promptText.optional(),
      messages: promptTurns.optional(),
      config: notDone(
        'config of a prompt is not done here; temperature, max_output_tokens, … are settings of the target',
      ),
      function: notDone('a function as prompt is not done here; write it as a template with {{variables}}'),
    }),
  ]),
)

const prompts = z.lazy(() =>
  z
    .union([z.record(text, z.union([promptText, promptTurns])), z.array(listedPrompt).min(1)], {
      error:
        'expected prompts by name, or a list of them: texts with {{variables}}, file://paths, or lists of messages',
    })
    .describe('The prompts that are compared, by name or as a list: the levels of the factor `prompt`.'),
)

const vars = z.lazy(() => z.record(text, json).describe('Values of {{variables}}.'))
const asserts = z.lazy(() => z.array(assertion).describe('What answers are held to.'))
const threshold = z
  .number()
  .min(0)
  .max(1)
  .describe('The score from which on a case has passed. Default: all asserts must hold.')

const asReplicates = 'repeat is not done here; use replicates: n of the experiment'

const caseOptions = z.lazy(() =>
  z
    .strictObject({
      prefix: z.string().optional().describe('Put before what the user says.'),
      suffix: z.string().optional().describe('Put after it.'),
      transform: text.optional().describe('JavaScript that makes of `output` what asserts look at: output.trim().'),
      provider: judgeSpec.optional().describe('The model that judges llm-rubric asserts.'),
      rubricPrompt: rubricPrompt.optional(),
      disableVarExpansion: z.boolean().optional().describe('true: a list of texts stays one value.'),
      disableDefaultAsserts: notDone(
        'disableDefaultAsserts is not done here; give the other cases their asserts instead',
      ),
      postprocess: notDone('postprocess is the old name of transform: use transform'),
      transformVars: notDone('transformVars is not done here; write the values into the case file'),
      storeOutputAs: notDone(
        'storeOutputAs is not done here; ask in one conversation: messages with an open { role: assistant }',
      ),
      repeat: notDone(asReplicates),
      runSerially: notDone('runSerially is not done here; use limits: { jobs: 1 }'),
    })
    .describe('How this case is sent and its answer checked, with the keys of promptfoo.'),
)

/** Keys of a case that promptfoo knows. */
const notOfCases = {
  provider: notDone(
    'provider of a case is not done here; models are a factor: exclude: [{ model: … }] leaves some out',
  ),
  providers: notDone('providers of a case are not done here; exclude: [{ model: … }] leaves some models out'),
  prompts: notDone('prompts of a case are not done here; exclude: [{ prompt: … }] leaves some out'),
  metadata: notDone('metadata is not done here; a variable in vars can be used by --filter'),
  providerOutput: notDone('providerOutput is not done here; use a model sim/echo, which answers with the prompt'),
  assertScoringFunction: notDone(
    'assertScoringFunction is not done here; use weights, threshold, or one javascript assert that returns the score',
  ),
}

export type CaseOptions = z.output<typeof caseOptions>

export const testCase = z.lazy(() =>
  z.strictObject({
    id: text.optional().describe('A short name.'),
    description: text.optional().describe('A short name.'),
    vars: vars.optional(),
    assert: asserts.optional(),
    threshold: threshold.optional(),
    label: z
      .union([z.boolean(), z.literal([0, 1]), z.enum(['pass', 'fail'])], { error: 'expected pass or fail' })
      .optional()
      .describe('What a person says of the answer, pass or fail: judges are compared with it.'),
    options: caseOptions.optional(),
    ...notOfCases,
  }),
)

export type TestCase = z.output<typeof testCase>

const toolForm = z.lazy(() =>
  z.strictObject({
    name: text.describe('What the model calls it by.'),
    description: z.string().default('').describe('What it does, for the model.'),
    parameters: z.record(z.string(), json).default({ type: 'object', properties: {} }).describe('A JSON Schema.'),
  }),
)

/** As assay or as OpenAI writes it. */
const tool = z.lazy(() =>
  z
    .union([toolForm, z.strictObject({ type: z.literal('function'), function: toolForm })], {
      error: 'expected a tool: { name, description, parameters }, or { type: function, function: { … } }',
    })
    .transform(written => ('function' in written ? written.function : written)),
)

const tests = z.lazy(() =>
  z
    .union([text, z.array(z.union([text, testCase]))], {
      error: 'expected a file of cases (.csv, .jsonl, .json, .yaml), or a list',
    })
    .describe('The cases: a file (CSV, JSONL, JSON, YAML) or a list. Each is a level of the block `case`.'),
)

/** The `target` part of an experiment with prompts. promptfoo's keys are accepted where they mean the same. */
export const promptSpec = z.lazy(() =>
  z
    .strictObject({
      kind: z.literal('prompt'),
      prompts,
      models: z
        .array(text)
        .min(1)
        .optional()
        .describe('The models that are compared: the levels of the factor `model`.'),
      providers: z.array(text).min(1).optional().describe('The same as models.'),
      system: text.optional().describe('A system prompt for all prompts that have none, or file://path of one.'),
      tests: tests.optional(),
      cases: tests.optional().describe('The same as tests.'),
      vars: vars.optional(),
      assert: asserts.optional(),
      threshold: threshold.optional(),
      defaultTest: z
        .strictObject({
          vars: vars.optional(),
          assert: asserts.optional(),
          threshold: threshold.optional(),
          options: caseOptions.optional(),
          ...notOfCases,
        })
        .optional()
        .describe('vars, assert, threshold and options of all cases, as promptfoo writes them.'),
      judge: judgeSpec.optional(),
      options: caseOptions.optional().describe('Options of all cases; a case’s own count before them.'),
      transform: text
        .optional()
        .describe('JavaScript that makes of `output` what asserts look at, such as output.trim().'),
      tools: z.array(tool).min(1).optional().describe('Tools that the model may call; asserts look at its calls.'),
      scenarios: notDone('scenarios are not done here; write the combinations as factors, or as cases'),
      evaluateOptions: notDone('evaluateOptions is not done here; use replicates, limits: { jobs }, --no-cache'),
      derivedMetrics: notDone('derivedMetrics are not done here; compute them from `assay collect`'),
      assertionTemplates: notDone('assertionTemplates are not done here; use YAML anchors (&name and *name)'),
      nunjucksFilters: notDone('nunjucksFilters are not done here; compute the value in the case file'),
      commandLineOptions: notDone('commandLineOptions is not done here; give options to assay run'),
      env: notDone('env is not done here; set variables in the environment, or in a file .env'),
      extensions: notDone('extensions are not done here; use hooks: { setup, cleanup } of the experiment'),
      outputPath: notDone('outputPath is not done here; use assay report -o or assay collect'),
      sharing: notDone('sharing is not done here; assay report writes a page that you can send'),
      redteam: notDone('redteam is not done here'),
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
    }),
)

export type PromptSpec = z.output<typeof promptSpec>
