import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../../../src/util/json.ts'
import { startSim } from '../../support.ts'

// A provider answers or refuses any request in its own format.

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }

const bodies: { readonly [endpoint: string]: Json } = {
  'chat/completions': {
    model: 'sim/small',
    messages: [
      { role: 'system', content: 'x' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'hello' },
          { type: 'image_url', image_url: { url: 'data:,' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'w', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'y' },
    ],
    tools: [{ type: 'function', function: { name: 'w', parameters, strict: false } }],
    tool_choice: { type: 'function', function: { name: 'w' } },
    parallel_tool_calls: true,
    response_format: { type: 'json_schema', json_schema: { name: 's', schema: parameters } },
    stop: ['a'],
    n: 2,
    max_tokens: 50,
    stream_options: { include_usage: true },
  },
  responses: {
    model: 'sim/small',
    instructions: 'x',
    input: [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
      { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'w', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'y' }] },
    ],
    tools: [
      { type: 'function', name: 'w', parameters },
      { type: 'namespace', name: 'n', tools: [{ type: 'custom', name: 'z' }] },
    ],
    tool_choice: { type: 'function', name: 'w' },
    text: { format: { type: 'json_schema', name: 's', schema: parameters } },
    reasoning: { effort: 'low', summary: 'auto' },
    include: ['reasoning.encrypted_content'],
    max_output_tokens: 50,
  },
  messages: {
    model: 'sim/small',
    max_tokens: 50,
    system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'hello' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'w', input: { city: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'y' }] }] },
    ],
    tools: [{ name: 'w', input_schema: parameters, cache_control: { type: 'ephemeral', ttl: '1h' } }],
    tool_choice: { type: 'tool', name: 'w' },
    stop_sequences: ['a'],
    thinking: { type: 'disabled' },
    output_config: { format: { type: 'json_schema', schema: parameters } },
  },
  embeddings: { model: 'e', input: ['a', 'b'], dimensions: 8, encoding_format: 'float' },
}

/** Every place in a body. */
function places(value: Json, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))]
}

/** The same with something else at one place; undefined: with nothing there. */
function changed(value: Json, [first, ...rest]: readonly (string | number)[], put: Json | undefined): Json {
  if (first === undefined) return put ?? null
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, Json>
  if (rest.length === 0 && put === undefined) delete copy[first]
  else copy[first] = rest.length === 0 ? (put ?? null) : changed(copy[first] ?? null, rest, put)
  return copy as Json
}

const odd = fc.constantFrom<Json | undefined>(
  undefined,
  null,
  true,
  0,
  -1,
  1e20,
  '',
  'x',
  '__proto__',
  [],
  {},
  [null],
  [[]],
  { type: 'x' },
  [{ type: 'text' }],
  { $ref: '#' },
)

test.each(Object.keys(bodies))('%s answers or refuses any request', async endpoint => {
  const address = await startSim({})
  const body = bodies[endpoint] ?? null
  const send = async (sent: Json): Promise<Response> =>
    fetch(`${address}/${endpoint}`, {
      method: 'POST',
      headers: { 'anthropic-version': '2023-06-01' },
      body: JSON.stringify(sent),
    })
  expect((await send(body)).status).toBe(200)
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places(body)), odd, fc.boolean(), async (path, put, stream) => {
      const sent = changed(body, path, put)
      const isMap = typeof sent === 'object' && sent !== null && !Array.isArray(sent)
      const response = await send(isMap ? { ...sent, stream } : sent)
      expect([200, 400, 404], `${JSON.stringify(sent)}: ${response.status}`).toContain(response.status)
      const text = await response.text()
      if (response.status === 200) return
      const { error } = JSON.parse(text)
      expect(error).toMatchObject({ type: expect.any(String), message: expect.stringMatching(/\S/) })
    }),
    { numRuns: 100 },
  )
})
