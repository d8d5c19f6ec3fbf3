import type { JsonObject } from '../../../../util/json.ts'
import type { Usage } from '../../../model-call.ts'
import { responsesErrors } from '../openai-errors.ts'
import type { Answered, Wire } from '../wire.ts'
import { type ResponsesRequest, readResponses } from './read-responses.ts'
import { responseEvents } from './response-events.ts'
import { sealed } from './stored-responses.ts'

/** OpenAI's Responses API: an answer is a list of items, each with its own id. */
export const responsesWire: Wire<ResponsesRequest> = {
  endpoint: '/v1/responses',
  errors: responsesErrors,
  caching: 'automatic',
  read: readResponses,
  whole: answered => responseBody(answered, outputOf(answered)),
  *events(answered) {
    const output = outputOf(answered)
    yield* responseEvents(status => responseBody(answered, output, status), output)
  },
  farewell: '',
  kept(answered, { stored }) {
    const output = outputOf(answered)
    const thoughts = output.find(({ type }) => type === 'reasoning')?.id
    for (const { id, type } of output)
      if (type !== 'reasoning' && typeof thoughts === 'string') stored.remember(String(id), thoughts)
    const { request } = answered
    if (request.store)
      stored.add(`resp_${answered.id}`, { body: responseBody(answered, output), input: request.items, output })
  },
}

function outputOf({ request, answers: [answer], id }: Answered<ResponsesRequest>): readonly JsonObject[] {
  const { reasoning, text, tool_calls, usage, finish } = answer
  const items: JsonObject[] = []
  if (reasoning !== '' || usage.reasoning_tokens > 0)
    items.push({
      id: `rs_${id}`,
      type: 'reasoning',
      summary: request.has_summary && reasoning !== '' ? [{ type: 'summary_text', text: reasoning }] : [],
      ...(request.has_sealed_thoughts ? { encrypted_content: sealed(`rs_${id}`) } : {}),
    })
  const status = finish === 'length' || finish === 'content_filter' ? 'incomplete' : 'completed'
  if (text !== '')
    items.push({
      id: `msg_${id}`,
      type: 'message',
      status,
      role: 'assistant',
      content: [{ type: 'output_text', annotations: [], logprobs: [], text }],
    })
  for (const [index, call] of tool_calls.entries()) {
    const tool = request.tools.find(({ name }) => name === call.name)
    const common = {
      status: 'completed',
      call_id: call.id,
      name: call.name,
      ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }),
    }
    items.push(
      tool?.kind === 'custom'
        ? { id: `ctc_${id}${index}`, type: 'custom_tool_call', ...common, input: String(call.arguments.input ?? '') }
        : { id: `fc_${id}${index}`, type: 'function_call', ...common, arguments: JSON.stringify(call.arguments) },
    )
  }
  return items
}

/** The answer, or with a status its announcement before it is complete. */
function responseBody(
  { request, answers: [answer], id, at }: Answered<ResponsesRequest>,
  output: readonly JsonObject[],
  status?: 'in_progress',
): object {
  const { written } = request
  const reason = { length: 'max_output_tokens', content_filter: 'content_filter' }[answer.finish as string]
  const isWhole = status === undefined
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(at / 1000),
    status: status ?? (reason === undefined ? 'completed' : 'incomplete'),
    background: false,
    error: null,
    incomplete_details: isWhole && reason !== undefined ? { reason } : null,
    instructions: written.instructions ?? null,
    max_output_tokens: written.max_output_tokens ?? null,
    model: request.model,
    output: isWhole ? output : [],
    parallel_tool_calls: written.parallel_tool_calls ?? true,
    previous_response_id: written.previous_response_id ?? null,
    reasoning: written.reasoning ?? { effort: null, summary: null },
    store: request.store,
    temperature: written.temperature ?? 1,
    text: written.text ?? { format: { type: 'text' } },
    tool_choice: written.tool_choice ?? 'auto',
    tools: written.tools ?? [],
    top_p: written.top_p ?? 1,
    truncation: written.truncation ?? 'disabled',
    usage: isWhole ? usageOf(answer.usage) : null,
    user: written.user ?? null,
    metadata: written.metadata ?? {},
  }
}

const usageOf = (usage: Usage): object => ({
  input_tokens: usage.input_tokens,
  input_tokens_details: { cached_tokens: usage.cached_input_tokens },
  output_tokens: usage.output_tokens,
  output_tokens_details: { reasoning_tokens: usage.reasoning_tokens },
  total_tokens: usage.input_tokens + usage.output_tokens,
})
