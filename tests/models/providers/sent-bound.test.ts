import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { reasoningEfforts } from '../../../src/define/models/model-settings.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { environmentOf, startBillingServer } from '../billing-server.ts'
import { CountedPermits, call, calm } from '../support.ts'

/** Models of every provider's rule for reasoning: budgets, efforts, levels, and those that know none. */
const models = [
  'claude-haiku-4.5',
  'claude-sonnet-4.5',
  'anthropic/claude-opus-4.6',
  'anthropic/claude-3-haiku',
  'gpt-4o-mini',
  'gpt-5.1',
  'openai/o3',
  'google/gemini-2.5-flash',
  'google/gemini-3-pro-preview',
  'deepseek-reasoner',
  'deepseek-chat',
  'xai/grok-3-mini',
  'xai/grok-4',
  'moonshot/kimi-k2-thinking',
  'mistral/mistral-large-latest',
  'openrouter/anthropic/claude-sonnet-4.5',
  'bedrock-claude-haiku-4.5',
  'bedrock-nova-pro',
]

const price = { above: 0, input: 3, cached_input: 0.3, cache_write: 3.75, output: 15 }

for (const model of models)
  test(`${model} bills at most the reservation, however much it may think`, async () => {
    // The longest output that is allowed, all of it thoughts but a few tokens.
    const server = await startBillingServer(({ limit, bytes }) => ({
      kind: 'answer',
      bill: { input: bytes, output: limit, reasoning: Math.max(0, limit - 5) },
    }))
    const settings: ModelSettings = { [model]: { price: [price], stream: false } }
    const notices: string[] = []
    const permits = new CountedPermits()
    const client = openModels({
      env: environmentOf(server),
      settings,
      retry: { tries: 1 },
      onNotice: notice => notices.push(notice),
    }).client({ permits, seed: 1 })
    for (const reasoning of [undefined, ...reasoningEfforts])
      for (const max_output_tokens of [64, 4096]) {
        const asked = server.asked.length
        await client.call(call(model, { reasoning, max_output_tokens }), calm())
        const { input, output } = server.bills.at(-1) ?? { input: 0, output: 0 }
        const settled = permits.settled.at(-1)
        expect(server.asked.length).toBe(asked + 1)
        expect(settled?.usage, `${reasoning}`).toMatchObject({ output_tokens: output })
        expect(settled?.ask.tokens).toBeGreaterThanOrEqual(output)
        // Bytes of the wire are more than tokens of the prompt: only the output is compared in money.
        expect(settled?.ask.usd).toBeGreaterThanOrEqual((output * price.output) / 1e6)
        expect(input).toBeGreaterThan(0)
      }
    expect(notices.filter(notice => notice.includes('contradicts'))).toEqual([])
  })

test('reserves the thinking budget that a package adds to the limit', async () => {
  const server = await startBillingServer(({ limit }) => ({ kind: 'answer', bill: { input: 10, output: limit } }))
  const permits = new CountedPermits()
  const settings: ModelSettings = { 'claude-haiku-4.5': { price: [price], stream: false } }
  const client = openModels({ env: environmentOf(server), settings }).client({ permits, seed: 1 })
  await client.call(call('claude-haiku-4.5', { reasoning: 'high', max_output_tokens: 4096 }), calm())
  expect(server.asked[0]?.limit).toBe(42_496)
  expect(permits.settled[0]?.usd).toBeCloseTo((10 * 3 + 42_496 * 15) / 1e6, 9)
  expect(permits.settled[0]?.ask.usd).toBeGreaterThanOrEqual(permits.settled[0]?.usd ?? Number.NaN)
})

test.each([
  ['options that raise the limit', { options: { max_tokens: 30_000 } }, {}, 30_000],
  ['several answers at once', { options: { n: 3 } }, { max_output_tokens: 500 }, 1500],
])('%s are read from what is sent', async (_, more, asked, least) => {
  const server = await startBillingServer(({ limit, body }) => ({
    kind: 'answer',
    bill: { input: 10, output: limit * Number(body.n ?? 1) },
  }))
  const permits = new CountedPermits()
  const settings: ModelSettings = { 'deepseek-chat': { price: [price], ...more } }
  const client = openModels({ env: environmentOf(server), settings }).client({ permits, seed: 1 })
  await client.call(call('deepseek-chat', asked), calm())
  expect(permits.settled[0]?.usage?.output_tokens).toBe(least)
  expect(permits.settled[0]?.ask.tokens).toBeGreaterThanOrEqual(least)
})

test('determines what is sent without a request, once for the same settings', async () => {
  const server = await startBillingServer(({ limit }) => ({ kind: 'answer', bill: { input: 10, output: limit } }))
  const permits = new CountedPermits()
  const settings: ModelSettings = { 'claude-haiku-4.5': { price: [price], stream: false } }
  const client = openModels({ env: environmentOf(server), settings }).client({ permits, seed: 1 })
  for (let nth = 0; nth < 5; nth++)
    await client.call(call('claude-haiku-4.5', { reasoning: 'low', seed: nth, max_output_tokens: 100 }), calm())
  expect(server.asked).toHaveLength(5)
  expect(new Set(permits.asked.map(({ usd }) => usd)).size).toBe(1)
})
