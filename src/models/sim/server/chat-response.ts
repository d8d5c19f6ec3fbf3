import type { Finish, ToolCall, Usage } from '../../model-call.ts'
import type { SimAnswer } from '../simulate.ts'

export interface ResponseParts {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
  readonly answer: Pick<SimAnswer, 'text' | 'tool_calls' | 'finish' | 'usage'>
}

/** An answer as OpenAI's chat completions have it. */
export function completion({ id, model, created, answer }: ResponseParts): object {
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text === '' ? null : answer.text,
          ...toolCalls(answer.tool_calls),
        },
        finish_reason: finishReason(answer.finish),
      },
    ],
    usage: usage(answer.usage),
  }
}

/** The same piece by piece. */
export function* chunks(parts: ResponseParts, includeUsage: boolean): Generator<object> {
  const { id, model, created, answer } = parts
  const chunk = (delta: object, finish_reason: string | null = null): object => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason }],
  })
  yield chunk({ role: 'assistant', content: '' })
  for (const piece of pieces(answer.text)) yield chunk({ content: piece })
  for (const [index, call] of toolCallList(answer.tool_calls).entries())
    yield chunk({ tool_calls: [{ index, ...call }] })
  yield chunk({}, finishReason(answer.finish))
  if (includeUsage)
    yield { id, object: 'chat.completion.chunk', created, model, choices: [], usage: usage(answer.usage) }
}

/** Words, with the space that follows them. */
const pieces = (text: string): readonly string[] => text.match(/\S+\s*|\s+/g) ?? []

const finishReason = (finish: Finish): string => (finish === 'other' ? 'stop' : finish)

const toolCalls = (calls: readonly ToolCall[]): object =>
  calls.length === 0 ? {} : { tool_calls: toolCallList(calls) }

const toolCallList = (calls: readonly ToolCall[]): readonly object[] =>
  calls.map(call => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))

const usage = (used: Usage): object => ({
  prompt_tokens: used.input_tokens,
  completion_tokens: used.output_tokens,
  total_tokens: used.input_tokens + used.output_tokens,
  prompt_tokens_details: { cached_tokens: used.cached_input_tokens },
  completion_tokens_details: { reasoning_tokens: used.reasoning_tokens },
})
