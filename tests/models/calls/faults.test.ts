import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { type ModelSettings, type SimFault, simFaults } from '../../../src/define/models/model-settings.ts'
import { LimitReached, type Permits } from '../../../src/define/permits.ts'
import type { ModelFault } from '../../../src/models/model-error.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, chatCompletion, errorOf, startServer, startSim, virtualClock } from '../support.ts'

const fast = { backoff_ms: 1, longest_backoff_ms: 2 }
const price = [{ above: 0, input: 1, output: 1 }]

/** A client for one model at this address. */
function clientAt(address: string, more: ModelSettings[string] = {}, retry: object = fast) {
  const permits = new CountedPermits()
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address, price, ...more } }
  return { client: openModels({ env: {}, settings, retry }).client({ permits, seed: 1 }), permits }
}

/** The reported name of each simulated fault, whether it may have been paid for, and its total number of tries. */
const told: { readonly [F in SimFault]: readonly [ModelFault, 'nothing' | 'unknown' | 'as_used', number] } = {
  rate_limited: ['rate_limited', 'nothing', 6],
  server_error: ['server_error', 'nothing', 4],
  overloaded: ['overloaded', 'nothing', 6],
  no_answer: ['no_answer', 'unknown', 3],
  cut: ['answer_cut', 'unknown', 4],
  malformed: ['malformed_response', 'unknown', 3],
  empty: ['empty_answer', 'as_used', 3],
  content_filter: ['content_filtered', 'as_used', 1],
  context_too_long: ['context_too_long', 'nothing', 1],
}

for (const fault of simFaults)
  for (const way of ['over HTTP', 'as a stream', 'in this process'])
    test(`${fault} ${way} has its name, its retries, and is charged once for each of them`, async () => {
      const sim = { rules: [{ fail: fault, answer: 'an answer of more than one word' }], price }
      const address = await startSim({ 'sim/bad': sim })
      // Only a test that waits in vain must not wait for minutes.
      const timeout = fault === 'no_answer' ? { timeout_ms: 40 } : {}
      const settings: ModelSettings = {
        'sim/bad': { ...sim, ...timeout },
        far: {
          provider: 'openai-compatible',
          model: 'sim/bad',
          address,
          price,
          ...timeout,
          stream: way === 'as a stream',
        },
      }
      const permits = new CountedPermits()
      const clock = way === 'in this process' ? virtualClock() : undefined
      const models = openModels({ env: {}, settings, retry: fast, ...(clock && { clock }) })
      const client = models.client({ permits, seed: 1 })
      const error = await errorOf(client.call(call(way === 'in this process' ? 'sim/bad' : 'far'), calm()))
      const [name, cost, tries] = told[fault]
      expect(error).toMatchObject({ fault: name, tries })
      expect(permits.settled).toHaveLength(tries)
      expect(permits.open).toBe(0)
      for (const { usd } of permits.settled) {
        if (cost === 'nothing') expect(usd).toBe(0)
        if (cost === 'unknown') expect(usd).toBeNull()
        if (cost === 'as_used') expect(usd).toBeGreaterThan(0)
      }
      expect(client.totals()).toMatchObject({ calls: tries, failed_calls: tries })
    })

for (const [form, headers] of [
  ['seconds', { 'retry-after': '2' }],
  ['a date', { 'retry-after': 'Tue, 14 Nov 2023 22:13:22 GMT', date: 'Tue, 14 Nov 2023 22:13:20 GMT' }],
  ['milliseconds', { 'retry-after-ms': '2000' }],
] as const)
  test(`a 429 that requests a wait in ${form} is obeyed, and reported to the permit office`, async () => {
    const server = await startServer((response, nth) => {
      if (nth === 1) response.writeHead(429, headers).end('{"error":{"message":"slow down"}}')
      else response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine'))
    })
    const clock = virtualClock(Date.parse('2023-11-14T22:13:20Z'))
    const permits = new CountedPermits()
    const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address, price } }
    const started = clock.now()
    const answer = await openModels({ env: {}, settings, clock: slowly(clock) })
      .client({ permits, seed: 1 })
      .call(call('m'), calm())
    expect(answer).toMatchObject({ text: 'fine', tries: 2 })
    expect(clock.now() - started).toBeGreaterThanOrEqual(2000)
    expect(permits.settled).toMatchObject([{ rate_limited: { retry_after_ms: 2000 }, usd: 0 }, { rate_limited: null }])
  })

/** A clock whose timers for silence never go off: the network takes real time, and virtual time does not wait for it. */
function slowly(clock: ReturnType<typeof virtualClock>): ReturnType<typeof virtualClock> {
  return { ...clock, after: (ms, callback) => (ms >= 200_000 ? () => {} : clock.after(ms, callback)) }
}

test('a date is relative to the clock of its server, as ours may be wrong by an hour', async () => {
  const server = await startServer(response =>
    response
      .writeHead(429, { 'retry-after': 'Tue, 14 Nov 2023 22:13:30 GMT', date: 'Tue, 14 Nov 2023 22:13:20 GMT' })
      .end('{}'),
  )
  const { client } = clientAt(server.address, {}, { tries: 1 })
  const error = await errorOf(client.call(call('m'), calm()))
  expect(error.retry_after_ms).toBe(10_000)
})

test('a wait until tomorrow is refused', async () => {
  const server = await startServer(response => response.writeHead(429, { 'retry-after': '86400' }).end('{}'))
  const { client, permits } = clientAt(server.address)
  const error = await errorOf(client.call(call('m'), calm()))
  expect(error).toMatchObject({ fault: 'rate_limited', tries: 1, retry_after_ms: 86_400_000 })
  expect(permits.settled).toHaveLength(1)
})

test('does not wait if told to stop on rate limits', async () => {
  const server = await startServer(response => response.writeHead(429).end('{}'))
  const { client } = clientAt(server.address, {}, { ...fast, fail_on_rate_limit: true })
  expect(await errorOf(client.call(call('m'), calm()))).toMatchObject({ fault: 'rate_limited', tries: 1 })
})

test('an answer after two failures has its own cost, and the failures none', async () => {
  const server = await startServer((response, nth) => {
    if (nth < 3) response.writeHead(500).end('{"error":{"message":"boom"}}')
    else response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine'))
  })
  const { client, permits } = clientAt(server.address)
  const answer = await client.call(call('m'), calm())
  expect(answer).toMatchObject({ tries: 3, cost_usd: 12e-6, cost_from: 'preset', model_id: 'served-model' })
  expect(permits.settled.map(({ usd }) => usd)).toEqual([0, 0, 12e-6])
  expect(client.totals()).toMatchObject({ calls: 3, failed_calls: 2, cost_usd: 12e-6 })
})

test('a failed answer that was paid for is charged too', async () => {
  const server = await startServer((response, nth) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion(nth === 1 ? '' : 'fine')),
  )
  const { client, permits } = clientAt(server.address)
  await client.call(call('m'), calm())
  expect(permits.settled.map(({ usd }) => usd)).toEqual([12e-6, 12e-6])
  expect(client.totals()).toMatchObject({ cost_usd: 24e-6 })
})

test('an answer that violates its schema is requested again, and finally reported as malformed', async () => {
  const server = await startServer((response, nth) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(chatCompletion(nth === 2 ? '{"score":"high"}' : 'no')),
  )
  const { client, permits } = clientAt(server.address)
  const schema = { type: 'object', properties: { score: { type: 'integer' } }, required: ['score'] }
  const error = await errorOf(client.call(call('m', { schema }), calm()))
  expect(error).toMatchObject({ fault: 'malformed_answer', tries: 3 })
  expect(error.message).toContain('"no"')
  expect(permits.settled).toHaveLength(3)
  // A merely OpenAI-compatible server gets the schema in the prompt.
  expect(server.requests[0]?.body).toContain('JSON Schema')
})

test('a server without usage leaves the cost unknown, never 0', async () => {
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine', { usage: undefined })),
  )
  const { client, permits } = clientAt(server.address)
  const answer = await client.call(call('m'), calm())
  expect(answer).toMatchObject({ cost_usd: null, cost_from: 'unknown' })
  expect(permits.settled).toMatchObject([{ usd: null }])
  expect(client.totals()).toMatchObject({ cost_usd: null, known_cost_usd: 0 })
})

test('a model without a price requests its permit without one', async () => {
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine')),
  )
  const permits = new CountedPermits()
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address } }
  const answer = await openModels({ env: {}, settings }).client({ permits, seed: 1 }).call(call('m'), calm())
  expect(answer.cost_usd).toBeNull()
  expect(permits.asked).toMatchObject([{ usd: null, model: 'm' }])
})

test('an exhausted limit ends the call before it is sent', async () => {
  const server = await startServer(response => response.end())
  const permits: Permits = {
    acquire: async () => {
      throw new LimitReached('unknown_price', 'the price of m is unknown')
    },
    settle: () => {
      throw new Error('there was no permit to settle')
    },
  }
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address } }
  const client = openModels({ env: {}, settings }).client({ permits, seed: 1 })
  await expect(client.call(call('m'), calm())).rejects.toThrow(LimitReached)
  expect(server.requests).toHaveLength(0)
  expect(client.totals()).toMatchObject({ calls: 0, cost_usd: 0 })
})

test('a stopped call ends its connection, at unknown cost', async () => {
  let sayArrived = (): void => {}
  const arrived = new Promise<void>(resolve => {
    sayArrived = resolve
  })
  const server = await startServer(() => sayArrived())
  const { client, permits } = clientAt(server.address)
  const controller = new AbortController()
  const answer = client.call(call('m'), controller.signal)
  await arrived
  const reason = { kind: 'cancelled', message: 'Ctrl-C' }
  controller.abort(reason)
  await expect(answer).rejects.toBe(reason)
  await server.closed
  expect(permits.settled).toMatchObject([{ usd: null }])
  expect(permits.open).toBe(0)
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
})

test('a call stopped while waiting for a retry is not retried', async () => {
  const server = await startServer(response => response.writeHead(429, { 'retry-after': '60' }).end('{}'))
  const { client, permits } = clientAt(server.address, {}, {})
  const controller = new AbortController()
  const answer = client.call(call('m'), controller.signal)
  while (permits.settled.length === 0) await new Promise(resolve => setImmediate(resolve))
  controller.abort(new Error('stop'))
  await expect(answer).rejects.toThrow('stop')
  expect(server.requests).toHaveLength(1)
})

test('an unreachable server is reported with its address', async () => {
  const { client } = clientAt('http://127.0.0.1:1/v1', {}, { tries: 1 })
  const error = await errorOf(client.call(call('m'), calm()))
  expect(error.fault).toBe('connection_failed')
  expect(error.message).toContain('http://127.0.0.1:1/v1')
})

test('a page that is not an API is a malformed response', async () => {
  const server = await startServer(response => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'))
  const { client } = clientAt(server.address, {}, { tries: 1 })
  expect((await errorOf(client.call(call('m'), calm()))).fault).toBe('malformed_response')
})

test('setting the clock back during a call gives no negative time', async () => {
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('fine')),
  )
  let jumps = 0
  const clock = { now: () => 1_000_000 - 60_000 * jumps++, elapsed: () => 5, after: () => () => {} }
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address, price } }
  const permits = new CountedPermits()
  const client = openModels({ env: {}, settings, clock }).client({ permits, seed: 1 })
  const answer = await client.call(call('m'), calm())
  expect(answer.latency_ms).toBe(0)
  expect(permits.settled).toHaveLength(1)
})

test('a failure that OpenRouter reports within a good response is a failure', async () => {
  const server = await startServer(response =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"error":{"message":"Rate limited","code":429}}'),
  )
  const settings: ModelSettings = { m: { provider: 'openrouter', address: server.address, key: 'K', price } }
  const client = openModels({ env: { K: 'or-key-planted' }, settings, retry: { tries: 1 } }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  expect((await errorOf(client.call(call('m'), calm()))).fault).toBe('rate_limited')
})

test('an answer cut by the provider is a failure', async () => {
  const server = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      chatCompletion('half', {
        choices: [{ index: 0, message: { role: 'assistant', content: 'half' }, finish_reason: 'error' }],
      }),
    ),
  )
  const settings: ModelSettings = { m: { provider: 'openrouter', address: server.address, key: 'K', price } }
  const client = openModels({ env: { K: 'or-key-planted' }, settings, retry: { tries: 1 } }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  expect((await errorOf(client.call(call('m'), calm()))).fault).toBe('answer_cut')
})

test('a schema without types still requires its properties', async () => {
  const { address } = await startServer(response =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion('{"a": 1}')),
  )
  const { client } = clientAt(address)
  const error = await errorOf(client.call(call('m', { schema: { required: ['b'] } }), calm()))
  expect(error).toMatchObject({ fault: 'malformed_answer' })
  expect(error.message).toContain("must have required property 'b'")
})

test('an uncheckable schema is refused before any payment', async () => {
  const { client, permits } = clientAt('http://127.0.0.1:1/v1')
  const schema = { $ref: '#/nowhere/to/be/found' }
  const error = await errorOf(client.call(call('m', { schema }), calm()))
  expect(error).toMatchObject({ fault: 'bad_request', cost: 'nothing' })
  expect(permits.asked).toHaveLength(0)
})

test('the longest answer follows the call, else the model’s settings, else 4,096 tokens, within the model’s limit', async () => {
  const asked = async (settings: ModelSettings, max_output_tokens?: number): Promise<number> => {
    const permits = new CountedPermits()
    const client = openModels({ env: {}, settings, rehearse: true }).client({ permits, seed: 1 })
    await client.call(call('gpt-5-mini', { max_output_tokens }), calm())
    return permits.asked[0]?.tokens ?? 0
  }
  const input = (await asked({}, 100)) - 100
  expect((await asked({})) - input).toBe(4096)
  expect((await asked({ 'gpt-5-mini': { max_output: 20_000 } })) - input).toBe(20_000)
  expect((await asked({ 'gpt-5-mini': { max_output: 50 } }, 9999)) - input).toBe(50)
  expect((await asked({}, 500_000)) - input).toBe(128_000)
})
