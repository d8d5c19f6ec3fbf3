import * as z from 'zod'
import { json, text } from '../../../define/schema/parts.ts'
import { AssayError } from '../../../util/errors.ts'
import { isJsonObject } from '../../../util/json.ts'
import { schemaCheck } from '../../../util/json-schema.ts'
import { type AssertType, assertTypes, insteadOf, setType } from './assert-types.ts'
import { judgeSpec, rubricPrompt } from './judge-schema.ts'

const types = assertTypes.flatMap(type => [type, `not-${type}`] as const)

const share = z
  .number()
  .min(0, { error: 'expected a number from 0 to 1' })
  .max(1, { error: 'expected a number from 0 to 1' })

const weight = z.number().min(0).optional().describe('How much it counts in the score. Default 1.')
const metric = text
  .optional()
  .describe('The name of a metric that this check also reports, besides the score; {{variables}} are filled in.')

const oneAssert = z.lazy(() =>
  z
    .strictObject({
      type: z
        .enum(types, {
          error: ({ input }) => (typeof input === 'string' ? (insteadOf(input) ?? undefined) : undefined),
        })
        .describe('The kind of check. The prefix `not-` negates it.'),
      value: json
        .optional()
        .describe(
          'The expected value: {{variables}} are filled in, file://path reads the file. For llm-rubric: the rubric. For javascript: code, or file://score.mjs:name.',
        ),
      path: text
        .optional()
        .describe('For json-path: where in the answer, such as "items.0.name" or "$.items[0].name".'),
      tolerance: z.number().min(0).optional().describe('For number: the largest difference that passes. Default 0.'),
      threshold: z
        .number()
        .min(0)
        .optional()
        .describe(
          'The lowest score that passes; for cost (USD), latency (ms) and levenshtein (edits): the highest value that passes.',
        ),
      weight,
      metric,
      transform: text
        .optional()
        .describe('JavaScript that turns `output` into the text that is checked, such as output.trim().'),
      judge: judgeSpec.optional().describe('For llm-rubric: the model that judges, or several.'),
      provider: text.optional().describe('The same as judge.'),
      rubricPrompt: rubricPrompt.optional(),
      config: z.record(z.string(), json).optional().describe('For javascript and function: passed to it as config.'),
      module: text
        .optional()
        .describe('For function: a TypeScript or JavaScript file, relative to the experiment file.'),
      export: text.optional().describe('For function: the name of the exported function. Default: default.'),
      contextTransform: z
        .never({ error: 'contextTransform is not done here; put the context into a variable' })
        .optional(),
    })
    .superRefine((written, context) => {
      for (const message of mistakesIn(written)) context.addIssue({ code: 'custom', message })
      if (written.threshold !== undefined && !isLimit(written.type) && !share.safeParse(written.threshold).success)
        context.addIssue({ code: 'custom', path: ['threshold'], message: 'expected a number from 0 to 1' })
    })
    .describe('What an answer is held to.'),
)

const assertSet = z.lazy(() =>
  z
    .strictObject({
      type: z.literal(setType).describe('Several asserts that count as one.'),
      assert: z.array(oneAssert).min(1, { error: 'expected at least one assert' }).describe('The asserts.'),
      threshold: share
        .optional()
        .describe('The share of them, by weight, from which on the set has passed. Default: all must hold.'),
      weight,
      metric,
    })
    .describe('Several asserts that count as one.'),
)

export const assertion = z.lazy(() =>
  z.discriminatedUnion('type', [oneAssert, assertSet], {
    error: ({ input }) => {
      const type = isJsonObject(input) ? input.type : undefined
      return (typeof type === 'string' ? insteadOf(type) : null) ?? undefined
    },
  }),
)

export type OneAssert = z.output<typeof oneAssert>
export type AssertSet = z.output<typeof assertSet>
export type Assertion = z.output<typeof assertion>

export const isSet = (written: Assertion): written is AssertSet => written.type === setType

/** The asserts themselves, those in sets too. */
export const eachAssert = (all: readonly Assertion[]): readonly OneAssert[] =>
  all.flatMap(one => (isSet(one) ? one.assert : [one]))

/** `not-contains`: the type, and that it is turned round. */
export function typeOf({ type }: Pick<OneAssert, 'type'>): { readonly type: AssertType; readonly isNot: boolean } {
  const isNot = type.startsWith('not-')
  const name = isNot ? type.slice('not-'.length) : type
  return { type: assertTypes.find(one => one === name) ?? 'equals', isNot }
}

const isLimit = (type: string): boolean => /^(not-)?(cost|latency|levenshtein)$/.test(type)

/** Whether the value of an assert is code or the place of code, which is never sent or compared. */
export const isCode = ({ type }: Pick<OneAssert, 'type'>): boolean => /^(not-)?(function|javascript)$/.test(type)

function mistakesIn(
  written: Pick<OneAssert, 'type' | 'value' | 'path' | 'module' | 'threshold' | 'transform'>,
): readonly string[] {
  const { type } = typeOf(written)
  const { value, threshold } = written
  switch (type) {
    case 'is-json':
    case 'contains-json':
      return schemaMistakes(type, value)
    case 'is-valid-openai-tools-call':
    case 'is-valid-openai-function-call':
      return []
    case 'cost':
    case 'latency':
      return threshold === undefined ? [`${type} needs a threshold: the most that is allowed`] : []
    case 'levenshtein':
      return value === undefined ? ['levenshtein needs a value'] : []
    case 'json-path':
      return written.path === undefined ? ['json-path needs a path, such as path: items.0.name'] : []
    case 'javascript':
      return typeof value === 'string' && value.trim() !== ''
        ? []
        : ['javascript needs code, such as value: output.length < 80, or a file: value: file://score.mjs:isPolite']
    case 'function':
      return written.module === undefined ? ['function needs a module, such as module: score.ts'] : []
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
    case 'tool-call-f1':
      return Array.isArray(value) || typeof value === 'string' ? [] : [`${type} needs a list as value`]
    default:
      return value === undefined ? [`${type} needs a value`] : []
  }
}

/** The value of is-json is a JSON Schema; a text is a file, or the schema in JSON or YAML, which is read later. */
function schemaMistakes(type: string, value: unknown): readonly string[] {
  if (value === undefined || value === null || typeof value === 'string') return []
  if (!isJsonObject(value)) return [`${type} takes a JSON Schema as value, or a file with one`]
  try {
    schemaCheck(value)
    return []
  } catch (error) {
    if (!(error instanceof AssayError)) throw error
    return [`the value of ${type} is ${error.message}`]
  }
}
