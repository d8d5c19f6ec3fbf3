import type { JsonObject } from '../../util/json.ts'
import type { Message, Tool } from '../model-call.ts'
import type { Route } from '../route.ts'
import type { SdkCallOptions } from './language-model.ts'
import type { TransportRequest } from './transport.ts'

type SdkMessage = SdkCallOptions['prompt'][number]

/** A call in the words of the AI SDK. */
export function sdkOptions(request: TransportRequest, signal: AbortSignal): SdkCallOptions {
  const { temperature, top_p, seed, stop, reasoning, schema, tools } = request
  const isTold = schema !== undefined && !holdsToSchemas(request)
  return {
    prompt: (isTold ? withSchemaTold(request.messages, schema) : request.messages).map(sdkMessage),
    maxOutputTokens: request.max_output_tokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(schema === undefined ? {} : { responseFormat: { type: 'json', schema: plain(schema), name: 'answer' } }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map(sdkTool), toolChoice: { type: 'auto' } }),
    ...providerOptionsOf(request),
    abortSignal: signal,
  }
}

/** Servers that only speak like OpenAI are not known to hold a model to a schema, unless somebody says so. */
const holdsToSchemas = ({ route: { kind, setting } }: TransportRequest): boolean =>
  setting.structured ?? kind !== 'openai-compatible'

function withSchemaTold(messages: readonly Message[], schema: JsonObject): readonly Message[] {
  const told = `Answer with one JSON value and nothing else. It must satisfy this JSON Schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', content: `${first.content}\n\n${told}` }, ...rest]
  return [{ role: 'system', content: told }, ...messages]
}

function sdkMessage(message: Message): SdkMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content }
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] }
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.tool_call_id,
            toolName: message.name,
            output: { type: 'text', value: message.content },
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

const sdkTool = ({ name, description, parameters }: Tool): NonNullable<SdkCallOptions['tools']>[number] => ({
  type: 'function',
  name,
  description,
  inputSchema: plain(parameters),
})

/** What came as metadata goes back as options: that is how the AI SDK carries signatures of thoughts. */
const asOptions = (data: JsonObject | undefined): Pick<SdkCallOptions, 'providerOptions'> =>
  data === undefined ? {} : { providerOptions: plain(data) }

/** OpenRouter's package knows reasoning only as an option of its own. */
function providerOptionsOf({ route, reasoning }: TransportRequest): Pick<SdkCallOptions, 'providerOptions'> {
  const { options } = route.setting
  if (route.kind === 'openrouter' && reasoning !== undefined)
    return { providerOptions: optionsFor(route, { reasoning: { effort: reasoning }, ...options }) }
  return options === undefined ? {} : { providerOptions: optionsFor(route, options) }
}

/** Under the name by which the package looks for them. */
const optionsFor = ({ kind, provider }: Route, options: JsonObject): NonNullable<SdkCallOptions['providerOptions']> =>
  plain({ [kind === 'openai-compatible' ? provider : kind]: options })

/** Our plain data is read-only, the AI SDK's types are not; it does not change what it is given. */
const plain = <T>(data: JsonObject): T => data as T
