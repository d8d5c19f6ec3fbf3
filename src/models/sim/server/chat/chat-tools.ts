import * as z from 'zod'
import type { JsonObject } from '../../../../util/json.ts'
import type { Tool } from '../../../model-call.ts'
import { bad, plainObject, refuseLooseSchema } from '../openai-reading.ts'

export const toolSchema = z.lazy(() =>
  z.looseObject({
    type: z.string(),
    function: z
      .looseObject({
        name: z.string(),
        description: z.string().nullish(),
        parameters: plainObject.nullish(),
        strict: z.boolean().nullish(),
      })
      .optional(),
    custom: z.looseObject({ name: z.string(), description: z.string().nullish() }).optional(),
  }),
)

/** A tool of a request; a kind that OpenAI does not know is refused. */
export function chatTool(tool: z.output<typeof toolSchema>, index: number): Tool {
  if (tool.type === 'custom' && tool.custom !== undefined)
    return { name: tool.custom.name, description: tool.custom.description ?? '', parameters: customParameters }
  if (tool.type !== 'function' || tool.function === undefined)
    throw bad(
      `Invalid value: '${tool.type}'. Supported values are: 'function' and 'custom'.`,
      `tools[${index}].type`,
      'invalid_value',
    )
  const { name, description, parameters, strict } = tool.function
  refuseToolName(name, `tools[${index}].function.name`)
  if (strict === true)
    refuseLooseSchema(parameters ?? {}, { what: `function '${name}'`, param: `tools[${index}].function.parameters` })
  return { name, description: description ?? '', parameters: parameters ?? {} }
}

/** A tool that takes one text in place of JSON. */
export const customParameters: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
}

export function refuseToolName(name: string, param: string): void {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return
  throw bad(
    `Invalid '${param}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
    param,
    'invalid_value',
  )
}
