import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import type { Tool } from '../../../model-call.ts'
import type { SimRequest } from '../wire.ts'
import { bad } from './anthropic-reading.ts'

/** Tools that Anthropic describes itself and the caller performs: they can be called. */
const performed = /^(bash|text_editor|computer|memory)_\d{8}$/
/** Tools that Anthropic performs itself: taken, and never called here. */
const hosted =
  /^((web_search|web_fetch|code_execution|tool_search_tool_(bm25|regex))(_\d{8})?|mcp_toolset|advisor_\d{8})$/

/** The tools of a request that can be called; a kind that Anthropic does not know is refused. */
export function messageTools(tools: readonly JsonObject[]): readonly Tool[] {
  const names = tools.map(({ name }) => name).filter(name => typeof name === 'string')
  if (new Set(names).size < names.length) throw bad('tools: Tool names must be unique.')
  return tools.flatMap((tool, index): readonly Tool[] => {
    const { type = 'custom', name, description = '', input_schema } = tool
    if (typeof type === 'string' && hosted.test(type)) return []
    if (typeof name !== 'string') throw bad(`tools.${index}.${type}.name: Field required`)
    if (typeof type === 'string' && performed.test(type)) return [{ name, description: '', parameters: {} }]
    if (type !== 'custom')
      throw bad(
        `tools.${index}: Input tag '${type}' found using 'type' does not match any of the expected tags: 'custom', 'bash_20250124', 'text_editor_20250728', 'memory_20250818', 'web_search_20250305', 'web_fetch_20250910', 'code_execution_20250825'`,
      )
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name))
      throw bad(`tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`)
    if (!isJsonObject(input_schema)) throw bad(`tools.${index}.custom.input_schema: Field required`)
    const parameters = input_schema
    if (parameters.type !== 'object') throw bad(`tools.${index}.custom.input_schema.type: Input should be 'object'`)
    return [{ name, description: String(description), parameters }]
  })
}

interface WrittenChoice {
  readonly type: 'auto' | 'any' | 'tool' | 'none'
  readonly name?: string | undefined
}

export function messageToolChoice(
  choice: WrittenChoice | null | undefined,
  tools: readonly Tool[],
  { offered, thinks }: { readonly offered: number; readonly thinks: boolean },
): SimRequest['tool_choice'] {
  if (choice === null || choice === undefined) return undefined
  if (offered === 0) throw bad('tool_choice may only be specified while providing tools')
  const isForced = choice.type === 'any' || choice.type === 'tool'
  if (isForced && thinks) throw bad('Thinking may not be enabled when tool_choice forces tool use.')
  if (choice.type === 'any') return 'required'
  if (choice.type !== 'tool') return choice.type
  if (choice.name === undefined) throw bad('tool_choice.tool.name: Field required')
  const { name } = choice
  if (!tools.some(tool => tool.name === name)) throw bad(`Tool '${name}' not found in provided tools`)
  return { tool: name }
}
