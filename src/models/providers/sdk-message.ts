import type { JsonObject } from '../../util/json.ts'
import { type CacheMark, type Content, type MediaPart, type Message, wordsIn } from '../model-call.ts'
import type { ProviderKind } from '../route.ts'
import type { SdkCallOptions } from './language-model.ts'

type SdkMessage = SdkCallOptions['prompt'][number]
type SdkUserPart = Extract<SdkMessage, { role: 'user' }>['content'][number]
type SdkOptions = Pick<SdkCallOptions, 'providerOptions'>

/** A message in the AI SDK's terms. */
export function sdkMessage(message: Message, kind: ProviderKind): SdkMessage {
  const mark = markFor(message.cache, kind)
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content, ...mark }
    case 'user':
      return { role: 'user', content: withMark(sdkParts(message.content), mark) }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.tool_call_id,
            toolName: message.name,
            output: toolOutput(message, kind),
            ...mark,
          },
        ],
      }
    case 'assistant':
      return {
        role: 'assistant',
        ...mark,
        content: [
          ...(message.reasoning ?? []).map(({ text, provider_data }) => ({
            type: 'reasoning' as const,
            text,
            ...asOptions(provider_data),
          })),
          ...(message.content === '' ? [] : [{ type: 'text' as const, text: message.content }]),
          ...(message.tool_calls ?? []).map(call => ({
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.name,
            input: call.arguments,
            ...asOptions(call.provider_data),
          })),
        ],
      }
  }
}

/** How each package marks the end of the provider's cache; the others can't. */
function markFor(mark: CacheMark | undefined, kind: ProviderKind): SdkOptions {
  if (mark === undefined) return {}
  const ttl = mark === '1h' ? { ttl: '1h' } : {}
  switch (kind) {
    case 'anthropic':
    case 'openrouter':
      return { providerOptions: { [kind]: { cacheControl: { type: 'ephemeral', ...ttl } } } }
    case 'bedrock':
      return { providerOptions: { bedrock: { cachePoint: { type: 'default', ...ttl } } } }
    default:
      return {}
  }
}

/** On the last part: Bedrock's package looks for it nowhere else. */
const withMark = (parts: SdkUserPart[], mark: SdkOptions): SdkUserPart[] =>
  parts.map((part, index) => (index === parts.length - 1 ? { ...part, ...mark } : part))

type ToolMessage = Extract<Message, { role: 'tool' }>
type ToolOutput = Extract<Extract<SdkMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output']

function toolOutput({ content, is_error }: ToolMessage, kind: ProviderKind): ToolOutput {
  const isText = typeof content === 'string' || content.every(part => part.type === 'text')
  if (!isText) return { type: 'content', value: sdkParts(content) }
  const value = wordsIn(content)
  if (is_error !== true) return { type: 'text', value }
  // Packages without an error flag would send only the text, which does not look like an error; OpenAI's sends this.
  return hasErrorSign(kind) ? { type: 'error-text', value } : { type: 'json', value: { error: value } }
}

const hasErrorSign = (kind: ProviderKind): boolean => !['openai-compatible', 'openrouter', 'bedrock'].includes(kind)

const sdkParts = (content: Content): SdkUserPart[] =>
  typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : content.map(part => (part.type === 'text' ? { type: 'text', text: part.text } : sdkFile(part)))

const sdkFile = (part: MediaPart): Extract<SdkUserPart, { type: 'file' }> => ({
  type: 'file',
  mediaType: part.media_type,
  ...(part.name !== undefined && { filename: part.name }),
  data: 'url' in part ? { type: 'url', url: new URL(part.url) } : { type: 'data', data: part.data },
})

/** Metadata of answers is sent back as options: that is how the AI SDK carries signatures of reasoning. */
const asOptions = (data: JsonObject | undefined): SdkOptions =>
  // Our plain data is read-only, the AI SDK's types are not; it does not change its input.
  data === undefined ? {} : { providerOptions: data as NonNullable<SdkCallOptions['providerOptions']> }
