import { expect, test } from 'vitest'
import { openModels } from '../../../src/models/open-models.ts'
import { aimockEnvironment, CountedPermits, call, calm, errorOf, startAimock } from '../support.ts'

const usage = { input_tokens: 11, output_tokens: 3, prompt_tokens: 11, completion_tokens: 3 }
const fast = { backoff_ms: 1, longest_backoff_ms: 2 }

/** One model of each shape: OpenAI's chat and responses, Anthropic's messages, Google's, OpenRouter's. */
const shapes = [
  'openai/gpt-4o-mini',
  'gpt-5-mini',
  'anthropic/claude-haiku-4.5',
  'google/gemini-3.5-flash',
  'qwen/qwen3-coder',
]

for (const model of shapes)
  for (const stream of [false, true])
    test(`${model} answers ${stream ? 'piece by piece' : 'at once'}, and its usage is priced`, async () => {
      const mock = await startAimock()
      mock.onMessage('hello', {
        content: 'Hi there!',
        usage: { ...usage, promptTokenCount: 11, candidatesTokenCount: 3, totalTokenCount: 14 },
      })
      const permits = new CountedPermits()
      const settings = { [model]: { stream } }
      const client = openModels({ env: aimockEnvironment(mock), settings }).client({ permits, seed: 1 })
      const answer = await client.call(call(model), calm())
      expect(answer).toMatchObject({ text: 'Hi there!', finish: 'stop', is_cached: false, tries: 1 })
      expect(answer.usage).toMatchObject({ input_tokens: 11, output_tokens: 3 })
      expect(answer.cost_usd).toBeGreaterThan(0)
      expect(permits.settled).toEqual([
        expect.objectContaining({ tokens: 14, usd: answer.cost_usd, rate_limited: null }),
      ])
      const [asked] = permits.asked
      expect(asked?.tokens).toBeGreaterThanOrEqual(14)
      expect(asked?.usd ?? 0).toBeGreaterThanOrEqual(answer.cost_usd ?? 0)
    })

test("OpenRouter's own cost overrides the price table", async () => {
  const mock = await startAimock()
  mock.onMessage('hello', { content: 'Hi', usage: { ...usage, cost: 0.0123 } })
  const env = { ...aimockEnvironment(mock), OPENAI_API_KEY: '' }
  const client = openModels({ env }).client({ permits: new CountedPermits(), seed: 1 })
  const answer = await client.call(call('openai/gpt-4o-mini'), calm())
  expect(answer).toMatchObject({ cost_usd: 0.0123, cost_from: 'provider', provider: 'openrouter' })
})

for (const model of ['openai/gpt-4o-mini', 'anthropic/claude-haiku-4.5'])
  test(`${model} calls a tool, and gets its result`, async () => {
    const mock = await startAimock()
    mock.onToolResult('call_1', { content: 'Rain.' })
    mock.on(
      { userMessage: 'weather' },
      { toolCalls: [{ name: 'forecast', arguments: '{"city":"Oslo"}', id: 'call_1' }] },
    )
    const client = openModels({ env: aimockEnvironment(mock) }).client({ permits: new CountedPermits(), seed: 1 })
    const tools = [
      {
        name: 'forecast',
        description: 'tomorrow',
        parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      },
    ]
    const question = { role: 'user', content: 'weather?' } as const
    const first = await client.call(call(model, { messages: [question], tools }), calm())
    expect(first.finish).toBe('tool_calls')
    expect(first.tool_calls).toMatchObject([{ id: 'call_1', name: 'forecast', arguments: { city: 'Oslo' } }])
    const second = await client.call(
      call(model, {
        messages: [
          question,
          { role: 'assistant', content: first.text, tool_calls: first.tool_calls, reasoning: first.reasoning },
          { role: 'tool', tool_call_id: 'call_1', name: 'forecast', content: 'rain' },
        ],
        tools,
      }),
      calm(),
    )
    expect(second.text).toBe('Rain.')
  })

test('an answer with a schema is parsed', async () => {
  const mock = await startAimock()
  mock.onMessage('hello', { content: '{"score":7}' })
  const client = openModels({ env: aimockEnvironment(mock) }).client({ permits: new CountedPermits(), seed: 1 })
  const schema = {
    type: 'object',
    properties: { score: { type: 'integer' } },
    required: ['score'],
    additionalProperties: false,
  }
  const answer = await client.call(call('openai/gpt-4o-mini', { schema }), calm())
  expect(answer.value).toEqual({ score: 7 })
})

test('temperature, seed and answer limit reach the provider', async () => {
  const mock = await startAimock()
  mock.onMessage('hello', { content: 'Hi' })
  const settings = { 'openai/gpt-4o-mini': { temperature: 0.3 } }
  const client = openModels({ env: aimockEnvironment(mock), settings }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  await client.call(call('openai/gpt-4o-mini', { seed: 42, max_output_tokens: 77 }), calm())
  expect(mock.getLastRequest()?.body).toMatchObject({ temperature: 0.3, seed: 42, max_tokens: 77 })
})

test('a call succeeds after drops, breaks and refusals, and every try is settled once', async () => {
  const mock = await startAimock({
    chaos: { dropRate: 0.2, malformedRate: 0.2, rateLimitRate: 0.2, disconnectRate: 0.1 },
  })
  mock.onMessage('hello', { content: 'Hi', usage })
  const permits = new CountedPermits()
  const retry = { ...fast, tries: 40 }
  const client = openModels({ env: aimockEnvironment(mock), retry }).client({ permits, seed: 1 })
  const answers = await Promise.allSettled(
    Array.from({ length: 30 }, (_, index) =>
      client.call(call('openai/gpt-4o-mini', { messages: [{ role: 'user', content: `hello ${index}` }] }), calm()),
    ),
  )
  const came = answers.filter(({ status }) => status === 'fulfilled').length
  expect(came).toBeGreaterThan(15)
  expect(permits.open).toBe(0)
  expect(permits.settled).toHaveLength(permits.asked.length)
  expect(permits.settled).toHaveLength(mock.getRequests().length)
  expect(client.totals()).toMatchObject({ calls: permits.asked.length, failed_calls: permits.asked.length - came })
}, 60_000)

test('a stream that ends too early is a failure', async () => {
  const mock = await startAimock({ chunkSize: 2 })
  mock.onMessage('hello', { content: 'a long answer that will not come whole' }, { truncateAfterChunks: 4 })
  const settings = { 'openai/gpt-4o-mini': { stream: true } }
  const permits = new CountedPermits()
  const client = openModels({ env: aimockEnvironment(mock), settings, retry: { tries: 1 } }).client({
    permits,
    seed: 1,
  })
  const error = await errorOf(client.call(call('openai/gpt-4o-mini'), calm()))
  expect(error.fault).toBe('answer_cut')
  // It was perhaps paid for, at an unknown cost.
  expect(permits.settled).toMatchObject([{ usd: null }])
})

test('a wrong key is reported without showing it', async () => {
  const mock = await startAimock({ auth: { apiKeys: ['the-right-one'] } })
  const client = openModels({ env: aimockEnvironment(mock) }).client({ permits: new CountedPermits(), seed: 1 })
  const error = await errorOf(client.call(call('openai/gpt-4o-mini'), calm()))
  expect(error).toMatchObject({ fault: 'wrong_key', status: 401, tries: 1 })
  expect(error.hint).toContain('OPENAI_API_KEY')
  expect(`${error.message} ${error.stack} ${error.cause}`).not.toContain('planted')
})

for (const { status, error, fault, retryAfter } of [
  { status: 429, error: { message: 'slow down', type: 'rate_limit_error' }, fault: 'rate_limited', retryAfter: 7 },
  { status: 429, error: { message: 'You have insufficient_quota', code: 'insufficient_quota' }, fault: 'no_credit' },
  { status: 500, error: { message: 'boom' }, fault: 'server_error' },
  { status: 529, error: { message: 'Overloaded', type: 'overloaded_error' }, fault: 'overloaded' },
  { status: 404, error: { message: 'The model does not exist' }, fault: 'unknown_model' },
  { status: 400, error: { message: "This model's maximum context length is 8192 tokens" }, fault: 'context_too_long' },
  { status: 400, error: { message: 'Rejected as a result of our content filter' }, fault: 'content_filtered' },
  { status: 402, error: { message: 'Insufficient credits' }, fault: 'no_credit' },
])
  for (const model of ['openai/gpt-4o-mini', 'anthropic/claude-haiku-4.5'])
    test(`${model}: ${status} "${error.message}" is ${fault}`, async () => {
      const mock = await startAimock()
      mock.onMessage('hello', { error, status, ...(retryAfter === undefined ? {} : { retryAfter }) })
      const permits = new CountedPermits()
      const client = openModels({ env: aimockEnvironment(mock), retry: { tries: 1 } }).client({ permits, seed: 1 })
      const thrown = await errorOf(client.call(call(model), calm()))
      expect(thrown).toMatchObject({ fault, status })
      expect(permits.settled).toMatchObject([{ usd: 0, tokens: 0 }])
      if (fault === 'rate_limited') {
        expect(thrown.retry_after_ms).toBe(7000)
        expect(permits.settled).toMatchObject([{ rate_limited: { retry_after_ms: 7000 } }])
      }
    })
