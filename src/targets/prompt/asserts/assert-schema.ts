import * as z from 'zod'
import { json, text } from '../../../define/schema/parts.ts'

/** What an answer can be held to; `not-` before it turns it round. The names are promptfoo's where it has one. */
export const assertTypes = [
  'equals',
  'contains',
  'icontains',
  'contains-all',
  'contains-any',
  'icontains-all',
  'icontains-any',
  'starts-with',
  'regex',
  'is-json',
  'json-path',
  'number',
  'function',
  'javascript',
  'llm-rubric',
  'cost',
  'latency',
] as const

export type AssertType = (typeof assertTypes)[number]

const types = assertTypes.flatMap(type => [type, `not-${type}`] as const)

const share = z
  .number()
  .min(0, { error: 'expected a number from 0 to 1' })
  .max(1, { error: 'expected a number from 0 to 1' })

export const assertion = z
  .strictObject({
    type: z.enum(types).describe('What is looked at; `not-` before it turns it round.'),
    value: json
      .optional()
      .describe('What is compared with; {{variables}} are filled in. For llm-rubric: what is asked for.'),
    path: text.optional().describe('For json-path: where in the answer, such as "items.0.name" or "$.items[0].name".'),
    tolerance: z.number().min(0).optional().describe('For number: how far it may be off. Default 0.'),
    threshold: z
      .number()
      .min(0)
      .optional()
      .describe('From which score on it counts as passed; for cost (USD) and latency (ms): the most.'),
    weight: z.number().min(0).optional().describe('How much it counts in the score. Default 1.'),
    metric: text.optional().describe('A metric of its own name, besides the score.'),
    judge: text.optional().describe('For llm-rubric: the model that judges.'),
    provider: text.optional().describe('The same as judge.'),
    module: text.optional().describe('For function: a TypeScript or JavaScript file, relative to the experiment file.'),
    export: text.optional().describe('For function: the name of the exported function. Default: default.'),
  })
  .superRefine((written, context) => {
    for (const message of mistakesIn(written)) context.addIssue({ code: 'custom', message })
    if (written.threshold !== undefined && !isLimit(written.type) && !share.safeParse(written.threshold).success)
      context.addIssue({ code: 'custom', path: ['threshold'], message: 'expected a number from 0 to 1' })
  })
  .describe('What an answer is held to.')

export type Assertion = z.output<typeof assertion>

/** `not-contains`: the type, and that it is turned round. */
export function typeOf({ type }: Pick<Assertion, 'type'>): { readonly type: AssertType; readonly isNot: boolean } {
  const isNot = type.startsWith('not-')
  const name = isNot ? type.slice('not-'.length) : type
  return { type: assertTypes.find(one => one === name) ?? 'equals', isNot }
}

const isLimit = (type: string): boolean => /^(not-)?(cost|latency)$/.test(type)

function mistakesIn(written: Pick<Assertion, 'type' | 'value' | 'path' | 'module' | 'threshold'>): readonly string[] {
  const { type } = typeOf(written)
  switch (type) {
    case 'is-json':
      return []
    case 'cost':
    case 'latency':
      return written.threshold === undefined ? [`${type} needs a threshold: the most that is allowed`] : []
    case 'json-path':
      return written.path === undefined ? ['json-path needs a path, such as path: items.0.name'] : []
    case 'javascript':
      return typeof written.value === 'string' && written.value.startsWith('file://')
        ? []
        : [
            'javascript takes a file, such as value: file://score.mjs:isPolite; code inside the configuration is not run',
          ]
    case 'function':
      return written.module === undefined ? ['function needs a module, such as module: score.ts'] : []
    case 'contains-all':
    case 'contains-any':
    case 'icontains-all':
    case 'icontains-any':
      return Array.isArray(written.value) || typeof written.value === 'string' ? [] : [`${type} needs a list as value`]
    default:
      return written.value === undefined ? [`${type} needs a value`] : []
  }
}
