import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { environmentAt, openTestProxy, post, price, settingsFor, startProvider, user } from './support.ts'

const served: ModelSettings = {
  'sim/worker': {
    price,
    rules: [{ contains: ['long answer'], in: 'user', answer: 'word '.repeat(2000) }, { answer: 'short' }],
  },
}

async function open() {
  const server = await startProvider(served)
  const settings = settingsFor('sim/worker')
  return { server, ...(await openTestProxy({ env: environmentAt(server.address), settings })) }
}

test('prompts of a megabyte pass, and stay within their reservation', async () => {
  const { server, permits, proxy, ...opened } = await open()
  const messages = [user('The harbour has a quay, and a crane.\n'.repeat(28_000)), user('hello')]
  for (const [path, body] of [
    ['/v1/chat/completions', { model: 'gpt', messages, max_completion_tokens: 100 }],
    ['/v1/responses', { model: 'gpt', input: messages, max_output_tokens: 100 }],
    ['/v1/messages', { model: 'claude', messages, max_tokens: 100 }],
  ] as const)
    expect((await post({ ...opened, proxy }, path, body)).status).toBe(200)
  expect(proxy.totals().cost_usd).toBeCloseTo(server.bill().usd ?? Number.NaN, 12)
  for (const { ask, usd } of permits.settled) expect(usd).toBeLessThanOrEqual(ask.usd ?? 0)
})

test('streams of thousands of chunks arrive whole', async () => {
  const { server, proxy, openai, anthropic } = await open()
  const asked = [user('a long answer, please')]
  const chat = openai.chat.completions.stream({ model: 'gpt', messages: asked })
  expect(await chat.finalContent()).toBe('word '.repeat(2000))
  const responses = openai.responses.stream({ model: 'gpt', input: asked })
  expect((await responses.finalResponse()).output_text).toBe('word '.repeat(2000))
  const messages = anthropic.messages.stream({ model: 'claude', max_tokens: 10_000, messages: asked })
  expect(await messages.finalText()).toBe('word '.repeat(2000))
  expect(proxy.totals().cost_usd).toBeCloseTo(server.bill().usd ?? Number.NaN, 12)
})

test('two hundred streams at once are each answered, counted and paid', async () => {
  const { server, proxy, permits, anthropic } = await open()
  const ask = (index: number): Promise<string> =>
    anthropic.messages.stream({ model: 'claude', max_tokens: 100, messages: [user(`question ${index}`)] }).finalText()
  const answers = await Promise.all(Array.from({ length: 200 }, (_, index) => ask(index)))
  expect(answers).toEqual(answers.map(() => 'short'))
  expect(server.bill().charges).toBe(200)
  expect(permits.open).toBe(0)
  expect(proxy.totals().cost_usd).toBeCloseTo(server.bill().usd ?? Number.NaN, 12)
})
