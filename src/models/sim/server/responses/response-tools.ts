import { isJsonObject, type Json, type JsonObject } from '../../../../util/json.ts'
import type { Tool } from '../../../model-call.ts'
import { customParameters, refuseToolName } from '../chat/chat-tools.ts'
import { bad, listed, refuseLooseSchema } from '../openai-reading.ts'
import type { SimRequest } from '../wire.ts'

/** A tool that a rule may call, and the form of its calls. */
export interface ResponseTool extends Tool {
  readonly kind: 'function' | 'custom'
  readonly namespace?: string | undefined
}

/** Tools that the provider itself would use: taken, and never called here. */
const hosted = [
  'web_search',
  'web_search_preview',
  'web_search_2025_08_26',
  'web_search_preview_2025_03_11',
  'file_search',
  'code_interpreter',
  'image_generation',
  'computer_use_preview',
  'computer',
  'mcp',
  'local_shell',
  'shell',
  'apply_patch',
  'tool_search',
]

/** The tools of a request that can be called; a kind that OpenAI does not know is refused. */
export function responseTools(tools: readonly Json[], place = 'tools', namespace?: string): readonly ResponseTool[] {
  return tools.flatMap((tool, index): readonly ResponseTool[] => {
    const param = `${place}[${index}]`
    if (!isJsonObject(tool)) throw wrongType(param)
    const name = typeof tool.name === 'string' ? tool.name : null
    switch (tool.type) {
      case 'function': {
        if (name === null) throw missing(`${param}.name`)
        refuseToolName(name, `${param}.name`)
        const parameters = tool.parameters ?? {}
        if (!isJsonObject(parameters)) throw wrongType(`${param}.parameters`)
        if (tool.strict === true)
          refuseLooseSchema(parameters, { what: `function '${name}'`, param: `${param}.parameters` })
        return [{ name, description: String(tool.description ?? ''), parameters, kind: 'function', namespace }]
      }
      case 'custom':
        if (name === null) throw missing(`${param}.name`)
        return [
          {
            name,
            description: String(tool.description ?? ''),
            parameters: customParameters,
            kind: 'custom',
            namespace,
          },
        ]
      case 'namespace': {
        if (!Array.isArray(tool.tools)) throw missing(`${param}.tools`)
        return responseTools(tool.tools, `${param}.tools`, name ?? '')
      }
      default:
        if (typeof tool.type === 'string' && hosted.includes(tool.type)) return []
        throw bad(
          `Invalid value: '${tool.type}'. Supported values are: ${listed(['function', 'custom', 'namespace', ...hosted])}.`,
          `${param}.type`,
          'invalid_value',
        )
    }
  })
}

const missing = (param: string): Error =>
  bad(`Missing required parameter: '${param}'.`, param, 'missing_required_parameter')

const wrongType = (param: string): Error =>
  bad(`Invalid type for '${param}': expected an object.`, param, 'invalid_type')

export function responseToolChoice(
  choice: string | JsonObject | null | undefined,
  offered: readonly JsonObject[],
  tools: readonly ResponseTool[],
): SimRequest['tool_choice'] {
  if (choice === null || choice === undefined) return undefined
  if (choice === 'required' && offered.length === 0)
    throw bad("Tool choice 'required' must be specified with 'tools' parameter.", 'tool_choice')
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice
  if (typeof choice === 'string')
    throw bad(
      `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
      'tool_choice',
      'invalid_value',
    )
  if (choice.type === 'allowed_tools') return choice.mode === 'required' ? 'required' : 'auto'
  if (choice.type !== 'function' && choice.type !== 'custom') {
    if (offered.some(({ type }) => type === choice.type)) return 'auto'
    throw bad(`Tool choice '${choice.type}' not found in 'tools' parameter.`, 'tool_choice')
  }
  if (!tools.some(({ name }) => name === choice.name))
    throw bad(`Tool choice '${choice.type}' not found in 'tools' parameter.`, 'tool_choice')
  return { tool: String(choice.name) }
}
