import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import type { Message, Usage } from '../model-call.ts'
import { noCalls, sumsOfCalls } from './call-sums.ts'
import { messagesOfChat } from './chat-messages.ts'
import { isIsoTime } from './iso-time.ts'
import { parsedFile } from './parsed-file.ts'
import { chatMessage } from './swe-agent-schema.ts'
import type { CallSums, Trajectory, Turn } from './trajectory.ts'

const amount = z.number().nullish()
const text = z.string().nullish()
const schema = z.lazy(() =>
  z.looseObject({
    trajectory_format: text,
    instance_id: text,
    messages: z.array(
      chatMessage.unwrap().extend({ timestamp: z.unknown().optional(), extra: z.unknown().optional() }),
    ),
    info: z.looseObject({
      exit_status: text,
      submission: text,
      mini_version: text,
      model_stats: z.looseObject({ instance_cost: amount, api_calls: amount }).nullish(),
      config: z.unknown().optional(),
    }),
  }),
)
type MiniMessage = z.infer<typeof schema>['messages'][number]

/** Its files name their format; the first ones did not. */
export const isMiniSweAgent = ({ messages, info, trajectory_format: format }: JsonObject): boolean =>
  Array.isArray(messages) &&
  isJsonObject(info) &&
  (typeof format === 'string' ? format.startsWith('mini-swe-agent') : isJsonObject(info.model_stats))

/** A file of mini-swe-agent; `id` is the name of the file. */
export function readMiniSweAgent(data: unknown, id: string): Trajectory {
  const { messages, info, instance_id } = parsedFile(schema, withChat(data))
  const history = messagesOfChat(messages)
  const turns = turnsOf(messages, history)
  const known = sumsOfCalls(turns)
  const agent: CallSums = {
    ...known,
    calls: info.model_stats?.api_calls ?? null,
    cost_usd: info.model_stats?.instance_cost ?? null,
    price_usd: null,
    ...(turns.length === 0 && { raw_input_tokens: null, cached_input_tokens: null, output_tokens: null }),
    reasoning_tokens: turns.length === 0 ? null : known.reasoning_tokens,
  }
  const isBilledSeparately = agent.calls !== null && agent.calls !== turns.length
  return {
    id: instance_id ?? id,
    recorded_by: 'mini-swe-agent',
    agent: {
      name: 'mini-swe-agent',
      version: info.mini_version ?? null,
      model: modelOf(info.config),
      ...{ tools: [], strategy: null },
    },
    ...{ history, turns, summaries: [] },
    exit_status: info.exit_status ?? null,
    submission: info.submission ?? null,
    review_score: null,
    totals: { agent, summary: noCalls, rloop: noCalls },
    notes: [
      ...(agent.raw_input_tokens === null ? ['The file does not say how many tokens each call took.'] : []),
      ...(isBilledSeparately
        ? [
            `${agent.calls} calls were counted, but ${turns.length} answers are in the file: tokens are those of the answers.`,
          ]
        : []),
    ],
  }
}

/** With OpenAI's Responses API it stores answers and results in the form of that API. */
function withChat(data: unknown): unknown {
  if (!isJsonObject(data) || !Array.isArray(data.messages)) return data
  return { ...data, messages: data.messages.map(asChat) }
}

function asChat(message: Json): Json {
  if (!isJsonObject(message) || message.role !== undefined) return message
  if (message.type === 'function_call_output')
    return {
      role: 'tool',
      tool_call_id: message.call_id ?? '',
      content: message.output ?? '',
      extra: message.extra ?? {},
    }
  if (message.object !== 'response' || !Array.isArray(message.output)) return message
  const items = message.output.filter(isJsonObject)
  const texts = items.flatMap(({ type, content }) => (type === 'message' && Array.isArray(content) ? content : []))
  const calls = items.filter(({ type }) => type === 'function_call')
  return {
    role: 'assistant',
    content: texts.flatMap(part => (isJsonObject(part) && typeof part.text === 'string' ? [part.text] : [])).join(''),
    tool_calls: calls.map(({ call_id, name, arguments: given }) => ({
      id: call_id ?? '',
      function: { name: name ?? '', arguments: given ?? '' },
    })),
    extra: { ...(isJsonObject(message.extra) && message.extra), response: { usage: usageInChat(message.usage) } },
  }
}

function usageInChat(usage: Json | undefined): Json {
  if (!isJsonObject(usage)) return null
  return {
    prompt_tokens: usage.input_tokens ?? null,
    completion_tokens: usage.output_tokens ?? null,
    prompt_tokens_details: usage.input_tokens_details ?? null,
    completion_tokens_details: usage.output_tokens_details ?? null,
  }
}

/** A turn is an answer and everything up to the next one. mini-swe-agent only appends: all before it was its prompt. */
function turnsOf(messages: readonly MiniMessage[], history: readonly Message[]): readonly Turn[] {
  const answers = history.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
  return answers.map((from, at): Turn => {
    const message = messages[from]
    const extra = isJsonObject(message?.extra) ? message.extra : {}
    const response = isJsonObject(extra.response) ? extra.response : {}
    return {
      prompt: from === 0 ? [] : [{ from: 0, to: from }],
      ...{ from, to: answers[at + 1] ?? history.length, kind: 'turn' },
      usage: usageOf(isJsonObject(response.usage) ? response.usage : null),
      cost_usd: typeof extra.cost === 'number' ? extra.cost : null,
      ...{ price_usd: null, inference_ms: null, execution_ms: null },
      started_at: timeOf(extra.timestamp ?? message?.timestamp),
    }
  })
}

/** As LiteLLM passes it on. */
function usageOf(usage: JsonObject | null): Usage | null {
  if (typeof usage?.prompt_tokens !== 'number' || typeof usage.completion_tokens !== 'number') return null
  const input = isJsonObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details.cached_tokens : 0
  const output = isJsonObject(usage.completion_tokens_details) ? usage.completion_tokens_details.reasoning_tokens : 0
  return {
    input_tokens: usage.prompt_tokens,
    cached_input_tokens: typeof input === 'number' ? input : 0,
    cache_write_tokens: typeof usage.cache_creation_input_tokens === 'number' ? usage.cache_creation_input_tokens : 0,
    output_tokens: usage.completion_tokens,
    reasoning_tokens: typeof output === 'number' ? output : 0,
  }
}

/** Seconds since 1970, or a text. */
function timeOf(written: unknown): string | null {
  if (typeof written === 'string') return isIsoTime(written) ? written : null
  if (typeof written !== 'number' || !(written > 0 && written < 1e11)) return null
  return new Date(written * 1000).toISOString()
}

function modelOf(config: unknown): string | null {
  const model = isJsonObject(config) && isJsonObject(config.model) ? config.model.model_name : null
  return typeof model === 'string' ? model : null
}
