import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../../../util/json.ts'
import { plainObject } from '../openai-reading.ts'
import { bad, readAnthropic } from './anthropic-reading.ts'

/** A block of a message: a text, a picture, a call, a result, or reasoning. */
export type Block = JsonObject & { readonly type: string }

export interface WrittenMessage {
  readonly role: 'user' | 'assistant'
  readonly blocks: readonly Block[]
}

/** The body of a request to Anthropic's API; single texts become blocks, and adjacent messages of one role are joined. */
export function readMessagesBody(body: JsonObject): Omit<BodyParts, 'messages' | 'system'> & {
  readonly messages: readonly WrittenMessage[]
  readonly system: readonly Block[]
} {
  const { messages, system, ...written } = readAnthropic(bodySchema, body)
  const read = messages.map(({ role, content }, index): WrittenMessage => {
    if (role === 'system')
      throw bad(
        'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
      )
    if (role !== 'user' && role !== 'assistant')
      throw bad(`messages.${index}.role: Input should be 'user' or 'assistant'`)
    return { role, blocks: blocksOf(content, `messages.${index}.content`) }
  })
  return { ...written, messages: joined(read), system: blocksOf(system ?? [], 'system') }
}

const bodySchema = z.lazy(() =>
  z.object({
    model: z.string(),
    messages: z.array(z.looseObject({ role: z.string(), content: z.union([z.string(), z.array(plainObject)]) })),
    max_tokens: z.int().min(1).optional(),
    system: z.union([z.string(), z.array(plainObject)]).optional(),
    tools: z.array(plainObject).optional(),
    tool_choice: z
      .looseObject({
        type: z.enum(['auto', 'any', 'tool', 'none']),
        name: z.string().optional(),
        disable_parallel_tool_use: z.boolean().optional(),
      })
      .nullish(),
    stop_sequences: z.array(z.string()).nullish(),
    temperature: z.number().min(0).max(1).nullish(),
    thinking: z
      .looseObject({
        type: z.enum(['enabled', 'disabled', 'adaptive']),
        budget_tokens: z.int().optional(),
        display: z.string().nullish(),
      })
      .nullish(),
    output_config: z.looseObject({ format: plainObject.nullish() }).nullish(),
    output_format: plainObject.nullish(),
    cache_control: plainObject.nullish(),
    stream: z.boolean().optional(),
  }),
)

type BodyParts = z.output<typeof bodySchema>

const kinds = [
  'text',
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'tool_use',
  'tool_result',
  'tool_reference',
  'server_tool_use',
  'web_search_tool_result',
  'web_fetch_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_result',
  'container_upload',
  'compaction',
]

function blocksOf(content: string | readonly JsonObject[], place: string): readonly Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((block, at) => {
    const { type } = block
    if (type === undefined) throw bad(`${place}.${at}.type: Field required`)
    if (typeof type !== 'string' || !kinds.includes(type))
      throw bad(
        `${place}.${at}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${kinds.map(kind => `'${kind}'`).join(', ')}`,
      )
    if (type === 'tool_use' && !isJsonObject(block.input))
      throw bad(`${place}.${at}.tool_use.input: Input should be a valid dictionary`)
    return { ...block, type }
  })
}

function joined(messages: readonly WrittenMessage[]): readonly WrittenMessage[] {
  const all: WrittenMessage[] = []
  for (const message of messages) {
    const last = all.at(-1)
    if (last?.role === message.role) all[all.length - 1] = { ...last, blocks: [...last.blocks, ...message.blocks] }
    else all.push(message)
  }
  return all
}
