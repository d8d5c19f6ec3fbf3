import { anthropicErrors } from '../anthropic-errors.ts'
import { type Answered, jsonPieces, pieces, type Wire } from '../wire.ts'
import { type MessagesRequest, readMessages } from './read-messages.ts'
import { signatureOf } from './thinking.ts'

/** Anthropic's Messages API: an answer is a list of blocks. */
export const messagesWire: Wire<MessagesRequest> = {
  endpoint: '/v1/messages',
  errors: anthropicErrors,
  caching: 'marked',
  read: readMessages,
  whole: answered => ({
    ...head(answered),
    content: blocksOf(answered).map(({ block }) => block),
    ...endOf(answered),
    usage: usageOf(answered),
  }),
  events,
  farewell: '',
}

const head = ({ id, request }: Answered<MessagesRequest>): object => ({
  id: `msg_${id}`,
  type: 'message',
  role: 'assistant',
  model: request.model,
})

interface WrittenBlock {
  readonly block: object
  /** As it is announced in a stream: nothing in it yet. */
  readonly begun: object
  readonly deltas: readonly object[]
}

function blocksOf({ request, answers: [answer] }: Answered<MessagesRequest>): readonly WrittenBlock[] {
  const { reasoning, text, tool_calls } = answer
  const blocks: WrittenBlock[] = []
  if (reasoning !== '') {
    const thinking = request.shows_thoughts ? reasoning : ''
    const signature = signatureOf(reasoning)
    blocks.push({
      block: { type: 'thinking', thinking, signature },
      begun: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...pieces(thinking).map(piece => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature },
      ],
    })
  }
  if (text !== '')
    blocks.push({
      block: { type: 'text', text, citations: null },
      begun: { type: 'text', text: '' },
      deltas: pieces(text).map(piece => ({ type: 'text_delta', text: piece })),
    })
  for (const { id, name, arguments: input } of tool_calls) {
    const use = { type: 'tool_use', id: id.replace(/^call_/, 'toolu_'), name }
    blocks.push({
      block: { ...use, input },
      begun: { ...use, input: {} },
      deltas: ['', ...jsonPieces(JSON.stringify(input))].map(partial_json => ({
        type: 'input_json_delta',
        partial_json,
      })),
    })
  }
  return blocks
}

function endOf({ answers: [{ finish, stopped_by }] }: Answered): object {
  if (stopped_by !== null) return { stop_reason: 'stop_sequence', stop_sequence: stopped_by }
  const reasons = {
    stop: 'end_turn',
    length: 'max_tokens',
    tool_calls: 'tool_use',
    content_filter: 'refusal',
    other: 'end_turn',
  }
  return { stop_reason: reasons[finish], stop_sequence: null }
}

/** Anthropic counts cache reads and writes separately from other input. */
function usageOf({ answers: [{ usage }], cache }: Answered): object {
  return {
    input_tokens: usage.input_tokens - usage.cached_input_tokens - usage.cache_write_tokens,
    cache_creation_input_tokens: usage.cache_write_tokens,
    cache_read_input_tokens: usage.cached_input_tokens,
    cache_creation: { ephemeral_5m_input_tokens: cache.write_5m, ephemeral_1h_input_tokens: cache.write_1h },
    output_tokens: usage.output_tokens,
    service_tier: 'standard',
  }
}

function* events(answered: Answered<MessagesRequest>): Generator<string> {
  const event = (type: string, parts: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...parts })}\n\n`
  const usage = usageOf(answered)
  yield event('message_start', {
    message: {
      ...head(answered),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  })
  yield event('ping', {})
  for (const [index, { begun, deltas }] of blocksOf(answered).entries()) {
    yield event('content_block_start', { index, content_block: begun })
    for (const delta of deltas) yield event('content_block_delta', { index, delta })
    yield event('content_block_stop', { index })
  }
  yield event('message_delta', { delta: endOf(answered), usage })
  yield event('message_stop', {})
}
