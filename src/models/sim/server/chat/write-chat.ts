import type { Finish, ToolCall, Usage } from '../../../model-call.ts'
import type { SimAnswer } from '../../simulate.ts'
import { openaiErrors } from '../openai-errors.ts'
import { type Answered, jsonPieces, pieces, type Wire } from '../wire.ts'
import { type ChatRequest, readChat } from './read-chat.ts'

/** OpenAI's chat completions, with `reasoning_content` as DeepSeek and others have it. */
export const chatWire: Wire<ChatRequest> = {
  endpoint: '/v1/chat/completions',
  errors: openaiErrors,
  caching: 'automatic',
  read: readChat,
  whole: completion,
  events: events,
  farewell: 'data: [DONE]\n\n',
}

function completion(answered: Answered<ChatRequest>): object {
  return {
    ...head(answered, 'chat.completion'),
    choices: answered.answers.map((answer, index) => ({
      index,
      message: {
        role: 'assistant',
        content: answer.text === '' ? null : answer.text,
        refusal: null,
        ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
        ...(answer.tool_calls.length === 0
          ? {}
          : { tool_calls: answer.tool_calls.map(call => toolCall(call, answered.request)) }),
      },
      logprobs: null,
      finish_reason: finishReason(answer.finish),
    })),
    usage: usage(answered.answers),
  }
}

const head = ({ id, at, request }: Answered<ChatRequest>, object: string): object => ({
  id: `chatcmpl-${id}`,
  object,
  created: Math.floor(at / 1000),
  model: request.model,
  service_tier: 'default',
  system_fingerprint: 'fp_simulated',
})

/** The same piece by piece, one choice after the other. */
function* events(answered: Answered<ChatRequest>): Generator<string> {
  const { include_usage } = answered.request
  const line = (parts: object): string =>
    `data: ${JSON.stringify({ ...head(answered, 'chat.completion.chunk'), ...(include_usage ? { usage: null } : {}), ...parts })}\n\n`
  for (const [index, answer] of answered.answers.entries()) {
    for (const delta of deltas(answer, answered.request))
      yield line({ choices: [{ index, delta, logprobs: null, finish_reason: null }] })
    const finish_reason = finishReason(answer.finish)
    yield line({ choices: [{ index, delta: {}, logprobs: null, finish_reason }] })
  }
  if (include_usage) yield line({ choices: [], usage: usage(answered.answers) })
}

function* deltas({ reasoning, text, tool_calls }: SimAnswer, request: ChatRequest): Generator<object> {
  yield { role: 'assistant', content: tool_calls.length > 0 && text === '' ? null : '', refusal: null }
  for (const piece of pieces(reasoning)) yield { reasoning_content: piece }
  for (const piece of pieces(text)) yield { content: piece }
  for (const [index, call] of tool_calls.entries()) {
    if (request.custom.includes(call.name)) {
      yield { tool_calls: [{ index, ...toolCall(call, request) }] }
      continue
    }
    yield { tool_calls: [{ index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } }] }
    for (const piece of jsonPieces(JSON.stringify(call.arguments)))
      yield { tool_calls: [{ index, function: { arguments: piece } }] }
  }
}

const finishReason = (finish: Finish): string => (finish === 'other' ? 'stop' : finish)

const toolCall = ({ id, name, arguments: given }: ToolCall, { custom }: ChatRequest): object =>
  custom.includes(name)
    ? { id, type: 'custom', custom: { name, input: String(given.input ?? '') } }
    : { id, type: 'function', function: { name, arguments: JSON.stringify(given) } }

/** The prompt is counted once, however many answers there are. */
function usage(answers: Answered['answers']): object {
  const sum = (part: (usage: Usage) => number): number =>
    answers.reduce((total, { usage: one }) => total + part(one), 0)
  const [{ usage: first }] = answers
  const completion_tokens = sum(one => one.output_tokens)
  return {
    prompt_tokens: first.input_tokens,
    completion_tokens,
    total_tokens: first.input_tokens + completion_tokens,
    prompt_tokens_details: { cached_tokens: first.cached_input_tokens, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: sum(one => one.reasoning_tokens),
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}
