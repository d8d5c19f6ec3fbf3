import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Message, ModelAnswer } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, startSim } from '../support.ts'

const settings: ModelSettings = {
  'sim/clerk': {
    rules: [
      { matches: 'add (\\d+)', tool: { name: 'add', arguments: { n: '{1}' } } },
      { one_of: ['one', 'two', 'three'] },
    ],
    tokens: { reasoning: 9 },
  },
  'sim/busy': { failures: { rate_limited: 1, retry_after_ms: 1500 } },
}

const post = (address: string, body: object): Promise<Response> =>
  fetch(`${address}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

test('any program can list models, call one, and read its usage', async () => {
  const address = await startSim(settings)
  const listed = (await (await fetch(`${address}/models`)).json()) as { data: { id: string }[] }
  expect(listed.data.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['sim/echo', 'sim/small', 'sim/clerk', 'sim/busy']),
  )
  const response = await post(address, { model: 'sim/echo', messages: [{ role: 'user', content: 'say it' }] })
  expect(await response.json()).toMatchObject({
    object: 'chat.completion',
    choices: [{ message: { role: 'assistant', content: 'say it' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 6, completion_tokens: 2, total_tokens: 8 },
  })
})

test('a stream is the same answer in pieces, with its usage if asked for', async () => {
  const address = await startSim(settings)
  const messages = [{ role: 'user', content: 'three short words' }]
  const response = await post(address, {
    model: 'sim/echo',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })
  const lines = (await response.text()).split('\n\n').filter(Boolean)
  expect(lines.at(-1)).toBe('data: [DONE]')
  const chunks = lines.slice(0, -1).map(line => JSON.parse(line.slice('data: '.length)))
  expect(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join('')).toBe('three short words')
  expect(chunks.length).toBeGreaterThan(4)
  expect(chunks.at(-1)).toMatchObject({ usage: { completion_tokens: 5 } })
})

test('answers for models of real providers too, so that programs need no change', async () => {
  const address = await startSim({ 'gpt-4o-mini': { rules: [{ answer: 'simulated after all' }] } })
  const response = await post(address, { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'x' }] })
  expect(await response.json()).toMatchObject({
    model: 'gpt-4o-mini',
    choices: [{ message: { content: 'simulated after all' } }],
  })
})

test('errors have OpenAI’s status', async () => {
  const address = await startSim(settings)
  const status = async (body: object): Promise<number> => (await post(address, body)).status
  const messages = [{ role: 'user', content: 'x' }]
  expect(await status({ model: 'sim/nope', messages })).toBe(404)
  expect(await status({ model: 'sim/echo' })).toBe(400)
  expect(await status({ model: 'sim/echo', messages: [] })).toBe(400)
  const busy = await post(address, { model: 'sim/busy', messages })
  expect([busy.status, busy.headers.get('retry-after')]).toEqual([429, '2'])
  expect((await fetch(`${address}/images`, { method: 'POST' })).status).toBe(404)
})

test('a simulated model answers the same over HTTP as in this process', async () => {
  const address = await startSim(settings)
  const served: ModelSettings = {
    ...settings,
    far: { provider: 'openai-compatible', model: 'sim/clerk', address, price: 'free' },
  }
  const client = openModels({ env: {}, settings: served }).client({ permits: new CountedPermits(), seed: 1 })
  const tools = [
    { name: 'add', description: 'adds', parameters: { type: 'object', properties: { n: { type: 'string' } } } },
  ]
  for (const content of ['hello', 'please add 12', 'and then?']) {
    const asked = { messages: [{ role: 'user' as const, content }], seed: 5, tools }
    const near = await client.call(call('sim/clerk', asked), calm())
    const far = await client.call(call('far', asked), calm())
    // Only answers over HTTP have an id, a price and a provider.
    const besides = { cost_usd: 0, cost_from: '', latency_ms: 0, provider: '', response_id: '' }
    expect({ ...far, ...besides }).toEqual({ ...near, ...besides })
  }
})

test('our own client sends calls, results and thoughts through every format', async () => {
  const address = await startSim({
    'sim/agent': {
      rules: [
        {
          script: [
            {
              reasoning: 'Look first.',
              answer: 'I look at both.',
              tools: ['a', 'b'].map(n => ({ name: 'add', arguments: { n } })),
            },
            { reasoning: 'That is all.', answer: 'It brought {result}' },
          ],
        },
      ],
    },
  })
  const common = { model: 'sim/agent', address, key: 'SIM_KEY', price: 'free', max_output: 4000 } as const
  const served: ModelSettings = {
    chat: { ...common, provider: 'openai', api: 'chat' },
    responses: { ...common, provider: 'openai', api: 'responses' },
    messages: { ...common, provider: 'anthropic', options: { thinking: { type: 'enabled', budgetTokens: 1024 } } },
    compatible: { ...common, provider: 'openai-compatible' },
  }
  const client = openModels({ env: { SIM_KEY: 'k' }, settings: served }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  const tools = [
    { name: 'add', description: 'adds', parameters: { type: 'object', properties: { n: { type: 'string' } } } },
  ]
  for (const model of Object.keys(served)) {
    const messages: Message[] = [{ role: 'user', content: 'go' }]
    const ask = (): Promise<ModelAnswer> =>
      client.call(call(model, { messages, tools, max_output_tokens: 3000 }), calm())
    const { text, tool_calls, reasoning } = await ask()
    expect({ model, text, calls: tool_calls.length }).toEqual({ model, text: 'I look at both.', calls: 2 })
    messages.push({ role: 'assistant', content: text, tool_calls, reasoning })
    for (const { id, name, arguments: given } of tool_calls)
      messages.push({ role: 'tool', tool_call_id: id, name, content: `${given.n}` })
    expect({ model, text: (await ask()).text }).toEqual({ model, text: 'It brought a\nb' })
  }
})

test('the server listens on this machine only', async () => {
  expect(await startSim({})).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
})
