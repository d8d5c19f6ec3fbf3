import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Message, ModelCall } from '../../../src/models/model-call.ts'
import { ContextTooLong } from '../../../src/models/model-error.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, chatCompletion, errorOf, startServer } from '../support.ts'

/** A server that counts as it likes. */
async function clientOf(usage: object, more: ModelSettings[string] = {}) {
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine', { usage })),
  )
  const settings: ModelSettings = {
    m: { provider: 'openai-compatible', address: server.address, price: 'free', context: 10_000, ...more },
  }
  const permits = new CountedPermits()
  return { server, permits, client: openModels({ env: {}, settings }).client({ permits, seed: 1 }) }
}

const usage = { prompt_tokens: 5000, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 100 } }
const asked = (messages: readonly Message[]): ModelCall => call('m', { messages })
const question: Message = { role: 'user', content: 'hello' }
const answer: Message = { role: 'assistant', content: 'fine' }
const next: Message = { role: 'user', content: 'and then? '.repeat(50) }

test('the size of a history is the provider’s last count plus additions', async () => {
  const { client } = await clientOf(usage)
  const before = await client.size(asked([question]))
  expect(before).toMatchObject({ measured_tokens: 0, context: 10_000 })
  expect(before.input_tokens).toBeLessThan(20)
  await client.call(asked([question]), calm())
  const after = await client.size(asked([question, answer, next]))
  // The thoughts stayed with the provider.
  expect(after.measured_tokens).toBe(5200)
  expect(after.input_tokens).toBeGreaterThan(5200 + 100)
  expect(after.input_tokens).toBeLessThan(5200 + 300)
})

test('recognises messages that came from a thread or a file', async () => {
  const { client } = await clientOf(usage)
  await client.call(asked([question]), calm())
  const copied = structuredClone(asked([question, answer, next]))
  expect((await client.size(copied)).measured_tokens).toBe(5200)
})

test('estimates another conversation, or a rewritten history, separately', async () => {
  const { client } = await clientOf(usage)
  await client.call(asked([question]), calm())
  expect((await client.size(asked([next]))).measured_tokens).toBe(0)
  expect((await client.size(asked([{ role: 'user', content: 'hello!' }, answer, next]))).measured_tokens).toBe(0)
  // The prompt was counted, but the answer of another model was not.
  const other = await client.size(asked([question, { role: 'assistant', content: 'other' }, next]))
  expect(other.measured_tokens).toBe(5000)
})

test('refuses a prompt that leaves no room before it is sent, with used and allowed', async () => {
  const { client, server, permits } = await clientOf({ prompt_tokens: 9500, completion_tokens: 450 })
  await client.call(asked([question]), calm())
  const error = await errorOf(client.call(asked([question, answer, next]), calm()))
  expect(error).toBeInstanceOf(ContextTooLong)
  expect(error).toMatchObject({ fault: 'context_too_long', cost: 'nothing', allowed: 10_000 })
  expect((error as ContextTooLong).used).toBeGreaterThan(10_000)
  expect(error.message).toContain('9950 of them counted by the provider')
  expect(server.requests).toHaveLength(1)
  expect(permits.asked).toHaveLength(1)
  expect(client.totals()).toMatchObject({ calls: 1, failed_calls: 0 })
})

test('refuses a long first prompt by its own count, and sends one that fits', async () => {
  const { client, server } = await clientOf(usage, { context: 1000 })
  const long = asked([{ role: 'user', content: 'a word or two '.repeat(1000) }])
  expect(await errorOf(client.call(long, calm()))).toMatchObject({ fault: 'context_too_long', allowed: 1000 })
  await client.call(asked([{ role: 'user', content: 'a word or two '.repeat(150) }]), calm())
  expect(server.requests).toHaveLength(1)
})

test('looks up the context of a known model without a setting', async () => {
  const client = openModels({ env: { OPENAI_API_KEY: 'k' } }).client({ permits: new CountedPermits(), seed: 1 })
  const { context } = await client.size(call('openai/gpt-4.1-mini'))
  expect(context).toBeGreaterThan(100_000)
})

test('counts pictures and files in sizes and reservations', async () => {
  const { client, permits } = await clientOf(usage, { context: 100_000 })
  const text = (await client.size(asked([question]))).input_tokens
  const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
  const shown = asked([{ role: 'user', content: [{ type: 'text', text: 'hello' }, image] }])
  expect((await client.size(shown)).input_tokens).toBe(text + 1000)
  await client.call(shown, calm())
  expect(permits.asked[0]?.tokens).toBeGreaterThan(50_000)
  // The length of a PDF is unknown; it is at most the model's context.
  const file = { type: 'file', media_type: 'application/pdf', data: 'AAAA' } as const
  await client.call(asked([{ role: 'user', content: [file] }]), calm())
  expect(permits.asked[1]?.tokens).toBeGreaterThanOrEqual(100_000)
})
