import type { JsonObject } from '../../util/json.ts'
import type { Message, Tool, ToolChoice } from '../model-call.ts'
import type { Route } from '../route.ts'
import type { SdkCallOptions } from './language-model.ts'
import { callOptions } from './refuse-unsupported.ts'
import { sdkMessage } from './sdk-message.ts'
import type { TransportRequest } from './transport.ts'

/** A call in the AI SDK's terms. */
export function sdkOptions(request: TransportRequest, signal: AbortSignal): SdkCallOptions {
  const { temperature, top_p, seed, stop, reasoning, schema, tools } = request
  const isTold = schema !== undefined && !holdsToSchemas(request)
  return {
    prompt: (isTold ? withSchemaInPrompt(request.messages, schema) : request.messages).map(message =>
      sdkMessage(message, request.route.kind),
    ),
    maxOutputTokens: request.max_output_tokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { topP: top_p }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(schema === undefined ? {} : { responseFormat: { type: 'json', schema: plain(schema), name: 'answer' } }),
    ...(tools === undefined || tools.length === 0
      ? {}
      : { tools: tools.map(sdkTool), toolChoice: sdkChoice(request.tool_choice) }),
    ...providerOptions(request),
    abortSignal: signal,
  }
}

/** OpenAI-compatible servers are not known to enforce a schema, unless the settings say so. */
const holdsToSchemas = ({ route: { kind, setting } }: TransportRequest): boolean =>
  setting.structured ?? kind !== 'openai-compatible'

function withSchemaInPrompt(messages: readonly Message[], schema: JsonObject): readonly Message[] {
  const instruction = `Answer with one JSON value and nothing else. It must satisfy this JSON Schema:\n${JSON.stringify(schema)}`
  const [first, ...rest] = messages
  if (first?.role === 'system') return [{ role: 'system', content: `${first.content}\n\n${instruction}` }, ...rest]
  return [{ role: 'system', content: instruction }, ...messages]
}

const sdkChoice = (choice: ToolChoice = 'auto'): NonNullable<SdkCallOptions['toolChoice']> =>
  typeof choice === 'object' ? { type: 'tool', toolName: choice.tool } : { type: choice }

const sdkTool = ({ name, description, parameters }: Tool): NonNullable<SdkCallOptions['tools']>[number] => ({
  type: 'function',
  name,
  description,
  inputSchema: plain(parameters),
})

/** The call's settings, overridden by the model's settings: those are the user's last word. */
function providerOptions(request: TransportRequest): Pick<SdkCallOptions, 'providerOptions'> {
  const { route } = request
  const { options } = route.setting
  const said = withReasoning(callOptions(request, route), request)
  const written: typeof said = options === undefined ? {} : { [optionsName(route)]: options }
  const names = Object.keys({ ...said, ...written })
  if (names.length === 0) return {}
  return { providerOptions: plain(Object.fromEntries(names.map(name => [name, { ...said[name], ...written[name] }]))) }
}

/** OpenRouter's package supports reasoning only through an option of its own. */
function withReasoning(
  said: ReturnType<typeof callOptions>,
  { route, reasoning }: TransportRequest,
): ReturnType<typeof callOptions> {
  if (route.kind !== 'openrouter' || reasoning === undefined) return said
  return { ...said, openrouter: { ...said.openrouter, reasoning: { effort: reasoning } } }
}

/** The name by which the package looks for them. */
const optionsName = ({ kind, provider }: Route): string => (kind === 'openai-compatible' ? provider : kind)

/** Our plain data is read-only, the AI SDK's types are not; it does not change its input. */
const plain = <T>(data: JsonObject): T => data as T
