import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Delta, ModelCall } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, startServer } from '../support.ts'

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'served', choices: [{ index: 0, delta, finish_reason }] })}\n\n`
const ending = `data: ${JSON.stringify({ id: 'c', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } })}\n\ndata: [DONE]\n\n`

function streamed(response: ServerResponse, pieces: readonly string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of pieces) response.write(piece)
  response.end()
}

const whole = [
  chunk({ role: 'assistant', reasoning_content: 'Hmm. ' }),
  chunk({ reasoning_content: 'Rain?' }),
  chunk({ content: 'I will ' }),
  chunk({ content: 'look.' }),
  chunk({
    tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"to' } }],
  }),
  chunk({ tool_calls: [{ index: 0, function: { arguments: 'wn":"Rome"}' } }] }),
  chunk({}, 'tool_calls'),
  ending,
]
const tools = [{ name: 'weather', description: '', parameters: { type: 'object', properties: {} } }]

function clientAt(address: string, keeping?: string) {
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address, price: 'free' } }
  const models = openModels({ env: {}, settings, retry: { backoff_ms: 1, longest_backoff_ms: 2 } })
  const kept = keeping && { folder: keeping, mode: 'cache' as const, scope: {} }
  return models.client({ permits: new CountedPermits(), seed: 1, ...(kept && { keeping: kept }) })
}

const expected: readonly Delta[] = [
  { type: 'reasoning', text: 'Hmm. ' },
  { type: 'reasoning', text: 'Rain?' },
  { type: 'text', text: 'I will ' },
  { type: 'text', text: 'look.' },
  { type: 'tool_call', tool_call: { id: 'call_1', name: 'weather', arguments: { town: 'Rome' } } },
]
const asked: ModelCall = call('m', { tools })

test('listeners get the pieces of an answer in order from a streamed request', async () => {
  const server = await startServer(response => streamed(response, whole))
  const heard: Delta[] = []
  const answer = await clientAt(server.address).call(asked, calm(), delta => void heard.push(delta))
  expect(heard).toEqual(expected)
  expect(answer).toMatchObject({ text: 'I will look.', tool_calls: [{ name: 'weather' }], finish: 'tool_calls' })
  expect(JSON.parse(server.requests[0]?.body ?? '{}')).toMatchObject({ stream: true })
})

test('listeners are told to start over when a try breaks off', async () => {
  const server = await startServer((response, nth) => {
    if (nth > 1) return streamed(response, whole)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(chunk({ content: 'I wi' }), () => response.destroy())
  })
  const heard: Delta[] = []
  await clientAt(server.address).call(asked, calm(), delta => void heard.push(delta))
  expect(heard.at(0)).toEqual({ type: 'text', text: 'I wi' })
  expect(heard.slice(1)).toEqual([{ type: 'again', tries: 2 }, ...expected])
})

test('a cached answer comes in whole pieces, and a listener does not change its key', async () => {
  const server = await startServer(response => streamed(response, whole))
  const store = folderWith({})
  await clientAt(server.address, store).call(asked, calm(), () => {})
  const heard: Delta[] = []
  const answer = await clientAt(server.address, store).call(asked, calm(), delta => void heard.push(delta))
  expect(server.requests).toHaveLength(1)
  expect(answer.is_cached).toBe(true)
  expect(heard.map(({ type }) => type)).toEqual(['reasoning', 'text', 'tool_call'])
  expect(heard).toContainEqual({ type: 'text', text: 'I will look.' })
})

test('an error in a listener ends the call, and the permit is settled', async () => {
  const server = await startServer(response => streamed(response, whole))
  const client = clientAt(server.address)
  const oops = () => {
    throw new RangeError('not today')
  }
  await expect(client.call(asked, calm(), oops)).rejects.toThrow('not today')
})

test('a simulated model streams', async () => {
  const settings: ModelSettings = { 'sim/a': { rules: [{ answer: 'one two' }], price: 'free' } }
  const heard: Delta[] = []
  const client = openModels({ env: {}, settings }).client({ permits: new CountedPermits(), seed: 1 })
  await client.call(call('sim/a'), calm(), delta => void heard.push(delta))
  expect(heard.map(delta => ('text' in delta ? delta.text : '')).join('')).toBe('one two')
})
