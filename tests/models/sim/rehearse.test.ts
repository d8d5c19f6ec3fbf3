import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, chatCompletion, startServer, virtualClock } from '../support.ts'

test('rehearses every model of an unchanged experiment without keys, at its real price and provider', async () => {
  const permits = new CountedPermits()
  const client = openModels({ env: {}, rehearse: true }).client({ permits, seed: 1 })
  const names = ['gpt-4o-mini', 'anthropic/claude-3-haiku', 'bedrock-qwen3-32b', 'kimi-k2', 'qwen/qwen3-coder:free']
  const answers = await Promise.all(names.map(name => client.call(call(name), calm())))
  expect(permits.asked.map(({ provider }) => provider).sort()).toEqual([
    'anthropic',
    'bedrock',
    'moonshot',
    'openai',
    'openrouter',
  ])
  const [mini, haiku, qwen, kimi, free] = answers
  const cost = (inUsd: number, outUsd: number, answer: typeof mini): number =>
    answer === undefined ? -1 : (answer.usage.input_tokens * inUsd + answer.usage.output_tokens * outUsd) / 1e6
  expect(mini?.cost_usd).toBeCloseTo(cost(0.15, 0.6, mini), 12)
  expect(haiku?.cost_usd).toBeCloseTo(cost(0.25, 1.25, haiku), 12)
  expect(qwen?.cost_usd).toBeCloseTo(cost(0.15, 0.6, qwen), 12)
  expect([kimi?.cost_usd, free?.cost_usd]).toEqual([0, 0])
  expect(answers.map(({ cost_from }) => cost_from)).toEqual(answers.map(() => 'simulated'))
})

test('a model without a known price has none in a rehearsal either', async () => {
  const permits = new CountedPermits()
  const client = openModels({ env: {}, rehearse: true }).client({ permits, seed: 1 })
  const answer = await client.call(call('some-vendor/unheard-of'), calm())
  expect(answer.cost_usd).toBeNull()
  expect(permits.asked).toMatchObject([{ usd: null }])
})

test('answers by its own settings, else by sim/rehearsal', async () => {
  const settings: ModelSettings = {
    'sim/rehearsal': { rules: [{ answer: 'as rehearsed' }], tokens: { output: 77 } },
    'gpt-4o-mini': { rules: [{ answer: 'my own' }] },
  }
  const client = openModels({ env: {}, settings, rehearse: true }).client({ permits: new CountedPermits(), seed: 1 })
  expect((await client.call(call('gpt-4o'), calm())).text).toBe('as rehearsed')
  const own = await client.call(call('gpt-4o-mini'), calm())
  expect(own).toMatchObject({ text: 'my own', usage: { output_tokens: 77 } })
})

test('latency uses the given clock', async () => {
  const clock = virtualClock()
  const settings: ModelSettings = {
    'sim/slow': { latency: { base_ms: 60_000, per_token_ms: 10, spread: 0 }, rules: [{ answer: 'four char' }] },
  }
  const client = openModels({ env: {}, settings, clock }).client({ permits: new CountedPermits(), seed: 1 })
  const answer = await client.call(call('sim/slow'), calm())
  expect(answer.latency_ms).toBe(60_000 + 10 * answer.usage.output_tokens)
})

test('reports a changed model id once', async () => {
  const notices: string[] = []
  const server = await startServer((response, nth) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(chatCompletion('x', { model: nth < 3 ? 'm-2026-01' : 'm-2026-02' })),
  )
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address, price: 'free' } }
  const client = openModels({ env: {}, settings, onNotice: notice => notices.push(notice) }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  for (let n = 0; n < 4; n++) await client.call(call('m'), calm())
  expect(notices).toEqual(['m: the provider now answers as m-2026-02, before as m-2026-01: results may not compare'])
})
