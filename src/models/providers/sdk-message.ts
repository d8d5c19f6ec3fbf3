import type { JsonObject } from '../../util/json.ts'
import type { Content, MediaPart, Message } from '../model-call.ts'
import type { Route } from '../route.ts'
import type { SdkCallOptions } from './language-model.ts'

type SdkMessage = SdkCallOptions['prompt'][number]
type SdkUserPart = Extract<SdkMessage, { role: 'user' }>['content'][number]

/** A message in the words of the AI SDK. */
export function sdkMessage(message: Message, _route: Route): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: sdkParts(message.content) }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.tool_call_id,
            toolName: message.name,
            output: toolOutput(message),
          },
        ],
      }
    case 'assistant':
      return {
        role: 'assistant',
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

type ToolMessage = Extract<Message, { role: 'tool' }>
type ToolOutput = Extract<Extract<SdkMessage, { role: 'tool' }>['content'][number], { type: 'tool-result' }>['output']

function toolOutput({ content, is_error }: ToolMessage): ToolOutput {
  if (typeof content !== 'string') return { type: 'content', value: sdkParts(content) }
  return { type: is_error === true ? 'error-text' : 'text', value: content }
}

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

/** What came as metadata goes back as options: that is how the AI SDK carries signatures of thoughts. */
const asOptions = (data: JsonObject | undefined): Pick<SdkCallOptions, 'providerOptions'> =>
  // Our plain data is read-only, the AI SDK's types are not; it does not change what it is given.
  data === undefined ? {} : { providerOptions: data as NonNullable<SdkCallOptions['providerOptions']> }
