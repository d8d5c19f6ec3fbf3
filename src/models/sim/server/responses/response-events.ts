import type { JsonObject } from '../../../../util/json.ts'
import { jsonPieces, pieces } from '../wire.ts'

type BodyOf = (status?: 'in_progress') => object

/** A response as server-sent events: each item is announced, filled and completed. */
export function* responseEvents(body: BodyOf, output: readonly JsonObject[]): Generator<string> {
  let sequence_number = 0
  const event = (type: string, parts: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence_number++, ...parts })}\n\n`
  yield event('response.created', { response: body('in_progress') })
  yield event('response.in_progress', { response: body('in_progress') })
  for (const [output_index, item] of output.entries()) {
    yield event('response.output_item.added', { output_index, item: begun(item) })
    for (const [type, parts] of steps(item)) yield event(type, { item_id: item.id, output_index, ...parts })
    yield event('response.output_item.done', { output_index, item })
  }
  const whole = body()
  const isComplete = 'status' in whole && whole.status === 'completed'
  yield event(isComplete ? 'response.completed' : 'response.incomplete', { response: whole })
}

/** An item as first announced: still empty. */
function begun(item: JsonObject): JsonObject {
  const { type } = item
  if (type === 'reasoning') return { ...item, summary: [] }
  const status = 'in_progress'
  if (type === 'message') return { ...item, status, content: [] }
  return type === 'custom_tool_call' ? { ...item, status, input: '' } : { ...item, status, arguments: '' }
}

type Step = readonly [type: string, parts: object]

function* steps(item: JsonObject): Generator<Step> {
  switch (item.type) {
    case 'reasoning':
      for (const [summary_index, part] of partsOf(item.summary).entries()) {
        const at = { summary_index }
        yield ['response.reasoning_summary_part.added', { ...at, part: { ...part, text: '' } }]
        for (const delta of pieces(part.text)) yield ['response.reasoning_summary_text.delta', { ...at, delta }]
        yield ['response.reasoning_summary_text.done', { ...at, text: part.text }]
        yield ['response.reasoning_summary_part.done', { ...at, part }]
      }
      return
    case 'message':
      for (const [content_index, part] of partsOf(item.content).entries()) {
        const at = { content_index }
        yield ['response.content_part.added', { ...at, part: { ...part, text: '' } }]
        for (const delta of pieces(part.text)) yield ['response.output_text.delta', { ...at, delta, logprobs: [] }]
        yield ['response.output_text.done', { ...at, text: part.text, logprobs: [] }]
        yield ['response.content_part.done', { ...at, part }]
      }
      return
    case 'custom_tool_call':
      for (const delta of pieces(String(item.input))) yield ['response.custom_tool_call_input.delta', { delta }]
      yield ['response.custom_tool_call_input.done', { input: item.input }]
      return
    default:
      for (const delta of jsonPieces(String(item.arguments)))
        yield ['response.function_call_arguments.delta', { delta }]
      yield ['response.function_call_arguments.done', { name: item.name, arguments: item.arguments }]
  }
}

/** Parts that this server has written itself. */
const partsOf = (parts: JsonObject[string] | undefined): readonly { readonly text: string }[] =>
  (parts ?? []) as unknown as readonly { readonly text: string }[]
