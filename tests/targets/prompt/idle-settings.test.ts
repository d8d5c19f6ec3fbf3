import { expect, it } from 'vitest'
import { type BillingServer, environmentOf, startBillingServer } from '../../models/billing-server.ts'
import { eventsOf } from '../../support/assay.ts'
import { promptExperiment } from './support.ts'

const start = () => startBillingServer(() => ({ kind: 'answer', bill: { input: 10, output: 5 } }))

/** Keys and addresses of every provider are in `.env`. */
const experimentAt = (server: BillingServer, rest: string) =>
  promptExperiment(rest, {
    '.env': Object.entries(environmentOf(server))
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
  })

const target = (model: string, more: string) =>
  `target: { kind: prompt, prompts: ["Hello"], models: [${model}], max_output_tokens: 100, assert: [{ type: equals, value: Hi }]${more} }`

const noticesOf = (ran: Parameters<typeof eventsOf>[0]) =>
  eventsOf(ran).flatMap(({ kind, message }) => (kind === 'notice' ? [String(message)] : []))

it.each([
  ['claude-haiku-4.5', ', reasoning: low'],
  ['gpt-5.1', ''],
  ['deepseek-reasoner', ''],
])('a temperature that varies without effect is refused before any call: %s', async (model, more) => {
  const server = await start()
  const e = experimentAt(server, `${target(model, more)}\nfactors: { temperature: [0, 0.5, 1] }`)
  const ran = await e.run()
  expect(ran.status).toBe(2)
  expect(ran.stdout + ran.stderr).toContain(`temperature\\" varies (0, 0.5, 1), but has no effect with ${model}`)
  expect(server.asked).toEqual([])
})

it('a constant one is reported once', async () => {
  const server = await start()
  const e = experimentAt(
    server,
    `${target('claude-haiku-4.5', ', reasoning: low, temperature: 0.5')}\nfactors: { n: [1, 2, 3] }`,
  )
  const ran = await e.run()
  expect(ran.status).toBe(0)
  expect(server.asked.every(({ body }) => body.temperature === undefined)).toBe(true)
  expect(noticesOf(ran).filter(notice => notice.includes('temperature'))).toEqual([
    'claude-haiku-4.5: "temperature" is not sent as it is written: temperature is not supported when thinking is enabled',
  ])
})

it.each([
  ['claude-haiku-4.5', 1],
  ['gpt-4o-mini', 0],
])('a seed that a provider ignores is reported once: %s', async (model, times) => {
  const server = await start()
  const ran = await experimentAt(server, `${target(model, '')}\nseeds: [1, 2, 3]`).run()
  expect(ran.status).toBe(0)
  expect(server.asked.filter(({ body }) => body.seed !== undefined)).toHaveLength(times === 0 ? 3 : 0)
  expect(noticesOf(ran).filter(notice => notice.includes('"seed" is not sent'))).toHaveLength(times)
})

it('an effective one is sent, whatever other models do', async () => {
  const server = await start()
  const e = experimentAt(server, `${target('gpt-4o-mini', '')}\nfactors: { temperature: [0, 1] }`)
  expect((await e.run()).status).toBe(0)
  expect(server.asked.map(({ body }) => body.temperature).sort()).toEqual([0, 1])
})

it.each([
  ['openrouter/anthropic/claude-sonnet-4', ', reasoning: high', { reasoning: { effort: 'high' } }, 'reasoning_effort'],
  ['mistral/mistral-large-latest', '', { random_seed: 7 }, 'seed'],
  ['xai/grok-4', '', { max_completion_tokens: 100 }, 'max_tokens'],
])('%s gets settings under its own names', async (model, more, body, others) => {
  const server = await start()
  const e = experimentAt(server, `${target(model, more)}\nseeds: [7]`)
  const ran = await e.run()
  expect(ran.status, ran.stdout).toBe(0)
  expect(server.asked[0]?.body).toMatchObject(body)
  expect(server.asked[0]?.body).not.toHaveProperty(others)
})

it('a model unknown to its provider is refused before others are paid for', async () => {
  const server = await start()
  const models = 'gpt-4o-mini, openai/gpt-4o-mni'
  const ran = await experimentAt(server, target(models, '')).run()
  expect(ran.status).toBe(2)
  expect(ran.stdout + ran.stderr).toContain('OpenAI is not known to have a model \\"gpt-4o-mni\\"')
  expect(server.asked).toEqual([])
  const declared = `${target(models, '')}\nmodels: { "openai/gpt-4o-mni": {} }`
  expect((await experimentAt(server, declared).run()).status).toBe(0)
  expect(server.asked).toHaveLength(2)
})
