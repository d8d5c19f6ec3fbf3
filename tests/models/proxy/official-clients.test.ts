import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { describe, expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { SimServer } from '../../../src/models/sim/server/sim-server.ts'
import { environmentAt, type Opened, openTestProxy, price, settingsFor, startProvider, user } from './support.ts'

// Requests of agents through their client libraries, against a provider that keeps its own bill.

const served: ModelSettings = {
  'sim/worker': {
    price,
    rules: [
      { after: 'weather', matches: '(\\d+) degrees', in: 'tool', answer: 'It has {1} degrees.' },
      {
        contains: ['weather'],
        in: 'user',
        turn: 1,
        reasoning: 'I should look.',
        answer: 'Looking.',
        tool: { name: 'weather', arguments: { city: 'Oslo' } },
      },
      { reasoning: 'First I think.', answer: 'You said: {last}' },
    ],
  },
}

async function open(): Promise<Opened & { readonly server: SimServer }> {
  const server = await startProvider(served)
  const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('sim/worker') })
  return { ...opened, server }
}

/** The provider's charge equals the settled and counted amounts exactly. */
function expectPaid({ proxy, permits, server }: Opened & { readonly server: SimServer }, calls: number): void {
  const { usd, charges } = server.bill()
  expect(charges).toBe(calls)
  expect(proxy.totals()).toMatchObject({ calls, failed_calls: 0 })
  expect(proxy.totals().cost_usd).toBeCloseTo(usd ?? Number.NaN, 12)
  expect(proxy.totals().by_purpose.agent?.cost_usd).toBeCloseTo(usd ?? Number.NaN, 12)
  expect(permits.settled.reduce((sum, one) => sum + (one.usd ?? Number.NaN), 0)).toBeCloseTo(usd ?? Number.NaN, 12)
  expect(permits.open).toBe(0)
  for (const { ask, usd: paid } of permits.settled) expect(paid).toBeLessThanOrEqual(ask.usd ?? 0)
}

const parameters = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] }
const chatTool = { type: 'function' as const, function: { name: 'weather', description: 'of a city', parameters } }
const responseTool = { type: 'function' as const, name: 'weather', description: 'of a city', parameters, strict: false }
const messagesTool = { name: 'weather', description: 'of a city', input_schema: parameters }

describe('chat completions', () => {
  test('answers whole and in a stream, with tools, at the price that the provider charges', async () => {
    const opened = await open()
    const { openai } = opened
    const first = await openai.chat.completions.create({
      model: 'gpt',
      messages: [user('How is the weather?')],
      tools: [chatTool],
    })
    const message = first.choices[0]?.message
    expect(message).toMatchObject({ content: 'Looking.', tool_calls: [{ function: { name: 'weather' } }] })
    const id = message?.tool_calls?.[0]?.id ?? ''
    const stream = openai.chat.completions.stream({
      model: 'gpt',
      messages: [
        user('How is the weather?'),
        message ?? user(''),
        { role: 'tool', tool_call_id: id, content: '9 degrees' },
      ],
      tools: [chatTool],
    })
    expect(await stream.finalContent()).toBe('It has 9 degrees.')
    expectPaid(opened, 2)
  })

  test('hides the usage of a stream unless the client requested it', async () => {
    const opened = await open()
    const ask = async (more: object): Promise<unknown[]> => {
      const chunks: unknown[] = []
      const body = { model: 'gpt', messages: [user('hello')], stream: true as const, ...more }
      for await (const chunk of await opened.openai.chat.completions.create(body)) chunks.push(chunk.usage ?? null)
      return chunks
    }
    const plain = await ask({})
    const counted = await ask({ stream_options: { include_usage: true } })
    expect(plain.every(usage => usage === null)).toBe(true)
    expect(counted).toHaveLength(plain.length + 1)
    expect(counted.at(-1)).toMatchObject({ completion_tokens: expect.any(Number) })
    expectPaid(opened, 2)
  })

  test('counts every one of several answers', async () => {
    const opened = await open()
    const { choices } = await opened.openai.chat.completions.create({
      ...{ model: 'gpt', messages: [user('hello')], n: 3, max_completion_tokens: 50 },
    })
    expect(choices).toHaveLength(3)
    expect(opened.permits.asked[0]?.tokens).toBeGreaterThanOrEqual(150)
    expectPaid(opened, 1)
  })
})

describe('responses', () => {
  test('answers whole and in a stream, with thoughts and tools', async () => {
    const opened = await open()
    const { openai } = opened
    const about = {
      model: 'gpt',
      tools: [responseTool],
      store: false,
      include: ['reasoning.encrypted_content' as const],
    }
    const first = await openai.responses.create({ ...about, input: [user('How is the weather?')] })
    const called = first.output.find(item => item.type === 'function_call')
    const answered = first.output.filter(
      item => item.type === 'reasoning' || item.type === 'message' || item.type === 'function_call',
    )
    expect(called).toMatchObject({ name: 'weather', arguments: '{"city":"Oslo"}' })
    const stream = openai.responses.stream({
      ...about,
      input: [
        user('How is the weather?'),
        ...answered,
        { type: 'function_call_output', call_id: called?.call_id ?? '', output: '9 degrees' },
      ],
    })
    expect((await stream.finalResponse()).output_text).toBe('It has 9 degrees.')
    expectPaid(opened, 2)
  })
})

describe('messages', () => {
  test('answers whole and in a stream, with thoughts and tools', async () => {
    const opened = await open()
    const { anthropic } = opened
    const about = {
      model: 'claude',
      max_tokens: 4000,
      tools: [messagesTool],
      thinking: { type: 'enabled' as const, budget_tokens: 2000 },
    }
    const first = await anthropic.messages.create({ ...about, messages: [user('How is the weather?')] })
    expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'tool_use'])
    const used = first.content.find(block => block.type === 'tool_use')
    const stream = anthropic.messages.stream({
      ...about,
      messages: [
        user('How is the weather?'),
        { role: 'assistant', content: first.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: used?.id ?? '', content: '9 degrees' }] },
      ],
    })
    expect(await stream.finalText()).toBe('It has 9 degrees.')
    expectPaid(opened, 2)
  })

  test('charges the provider’s cache, for five minutes and for an hour', async () => {
    const opened = await open()
    const long = 'The harbour has a quay, a crane and a long memory. '.repeat(160)
    for (const ttl of ['5m', '1h', '5m'] as const)
      await opened.anthropic.messages.create({
        model: 'claude',
        max_tokens: 100,
        system: [{ type: 'text', text: `${ttl} ${long}`, cache_control: { type: 'ephemeral', ttl } }],
        messages: [user('hello')],
      })
    const { by_purpose } = opened.proxy.totals()
    expect(by_purpose.agent?.cached_input_tokens).toBeGreaterThan(1000)
    expect(by_purpose.agent?.cache_write_tokens).toBeGreaterThan(2000)
    expectPaid(opened, 3)
  })

  test('estimates the tokens of a prompt without a request', async () => {
    const opened = await open()
    const { input_tokens } = await opened.anthropic.messages.countTokens({
      model: 'claude',
      messages: [user('hello there')],
    })
    expect(input_tokens).toBeGreaterThan(3)
    expect(opened.permits.asked).toEqual([])
    expect(opened.server.bill()).toMatchObject({ charges: 0, refused: 0 })
  })
})

describe('the AI SDK', () => {
  const weather = tool({
    description: 'of a city',
    inputSchema: jsonSchema<{ city: string }>(parameters),
    execute: async () => '9 degrees',
  })

  test.each(['chat', 'responses', 'messages'] as const)('works through tools with %s', async api => {
    const opened = await open()
    const { root, proxy } = opened
    const openai = createOpenAI({ baseURL: `${root}/v1`, apiKey: proxy.key })
    const anthropic = createAnthropic({ baseURL: `${root}/v1`, apiKey: proxy.key })
    const model = api === 'messages' ? anthropic('claude') : openai[api]('gpt')
    const asked = {
      ...{ model, prompt: 'How is the weather?', tools: { weather }, stopWhen: stepCountIs(3), maxRetries: 0 },
      maxOutputTokens: 2000,
      // Data stored at the provider can't be priced in advance.
      providerOptions: { openai: { store: false } },
    }
    expect((await generateText(asked)).text).toBe('It has 9 degrees.')
    expect(await streamText(asked).text).toBe('It has 9 degrees.')
    expectPaid(opened, 4)
  })
})
