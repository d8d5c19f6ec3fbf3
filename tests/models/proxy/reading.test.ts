import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Api } from '../../../src/models/proxy/apis/api.ts'
import { chatApi } from '../../../src/models/proxy/apis/chat/chat-api.ts'
import { messagesApi } from '../../../src/models/proxy/apis/messages/messages-api.ts'
import { responsesApi } from '../../../src/models/proxy/apis/responses/responses-api.ts'
import { Events } from '../../../src/models/proxy/wire/events.ts'
import { WithoutKey } from '../../../src/models/proxy/wire/without-key.ts'
import { simFetch } from '../../../src/models/sim/server/sim-fetch.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { systemClock } from '../../../src/util/system-clock.ts'
import { calm } from '../support.ts'
import { user } from './support.ts'

const settings: ModelSettings = {
  'sim/m': {
    rules: [
      {
        reasoning: 'Über das Wetter …',
        answer: 'Grüße 👋\n\nzwei Zeilen',
        tools: [
          { name: 'look', arguments: { at: 'ä "b"' } },
          { name: 'look', arguments: {} },
        ],
      },
    ],
  },
}
const parameters = { type: 'object', properties: { at: { type: 'string' } } }
const thinking = { type: 'enabled', budget_tokens: 1024 }
const requests: readonly (readonly [string, Api, JsonObject])[] = [
  [
    'chat completions',
    chatApi,
    { messages: [user('hi')], tools: [{ type: 'function', function: { name: 'look', parameters } }], n: 2 },
  ],
  [
    'responses',
    responsesApi,
    { input: 'hi', tools: [{ type: 'function', name: 'look', parameters }], reasoning: { summary: 'auto' } },
  ],
  [
    'messages',
    messagesApi,
    { max_tokens: 2000, messages: [user('hi')], tools: [{ name: 'look', input_schema: parameters }], thinking },
  ],
]

async function answered(api: Api, body: JsonObject): Promise<string> {
  const send = simFetch({ settings, seed: 1, clock: systemClock, purpose: 'agent', earlier_tries: 0 })
  const request = { model: 'sim/m', ...body }
  const headers = { 'anthropic-version': '2023-06-01' }
  return (await send({ path: api.endpoint, headers, body: JSON.stringify(request), signal: calm() })).text()
}

/** The same answer has another id each time. */
const facts = ({ content, finish, usage, model_id }: ReturnType<Api['answer']>): unknown => ({
  content: JSON.parse(JSON.stringify(content).replaceAll(/(call|toolu)_\w+/g, 'id')),
  finish: finish.unified,
  usage,
  model_id,
})

describe.each(requests)('%s', (_, api, body) => {
  test('a stream gives the same answer as a whole response, in any chunks', async () => {
    const whole = api.answer(JSON.parse(await answered(api, body)))
    const more: JsonObject = api === chatApi ? { stream_options: { include_usage: true } } : {}
    const bytes = Buffer.from(await answered(api, { ...body, ...more, stream: true }))
    for (const size of [1, 7, 1000, bytes.length]) {
      const events = new Events()
      const assembly = api.assemble()
      for (let at = 0; at < bytes.length; at += size)
        for (const event of events.take(bytes.subarray(at, at + size))) assembly.take(event)
      for (const event of events.end()) assembly.take(event)
      expect(assembly.isComplete).toBe(true)
      expect(facts(api.answer(assembly.body ?? {}))).toEqual(facts(whole))
    }
    expect(whole.content.filter(({ type }) => type === 'tool-call')).toHaveLength(2)
    expect(whole.finish.unified).toBe('tool-calls')
  })

  test('any input is read without an error', () => {
    fc.assert(
      fc.property(fc.object(), body => {
        const plain: JsonObject = JSON.parse(JSON.stringify(body))
        api.call(plain)
        api.answer(plain)
        api.input(plain)
        api.unpriced(plain)
        const assembly = api.assemble()
        assembly.take({ name: null, data: '', json: plain })
        expect(assembly.isFinished).toBe(assembly.body !== null)
      }),
    )
  })
})

test('a key is removed from a stream in any chunks', () => {
  const key = 'abab"abac'
  const parts = fc.array(fc.constantFrom(key, 'ab', 'a', 'b"', '"abac', ' ', 'é', JSON.stringify(key)), {
    maxLength: 12,
  })
  fc.assert(
    fc.property(parts, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (texts, sizes) => {
      const bytes = Buffer.from(texts.join(''))
      const clean = new WithoutKey([key])
      const out: Uint8Array[] = []
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] ?? 1
        out.push(clean.take(bytes.subarray(at, at + size)))
        at += size
      }
      const left = Buffer.concat([...out, clean.end()]).toString('utf8')
      expect(left).not.toContain(key)
      expect(left).not.toContain(JSON.stringify(key).slice(1, -1))
    }),
  )
})
