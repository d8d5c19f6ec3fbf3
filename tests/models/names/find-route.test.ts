import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { findRoute } from '../../../src/models/find-route.ts'
import { presets } from '../../../src/models/names/known-names.ts'
import { behaviourOf } from '../../../src/models/names/settings-of.ts'
import { priceOf } from '../../../src/models/prices/price-of.ts'
import { loadPriceTable } from '../../../src/models/prices/price-table.ts'
import type { Route } from '../../../src/models/route.ts'

const all = {
  OPENAI_API_KEY: 'a',
  ANTHROPIC_API_KEY: 'b',
  DEEPSEEK_API_KEY: 'c',
  ZHIPUAI_API_KEY: 'd',
  MOONSHOT_API_KEY: 'e',
  MINIMAX_API_KEY: 'f',
  OPENROUTER_API_KEY: 'g',
  GEMINI_API_KEY: 'h',
}

const route = (name: string, env: Record<string, string> = all, settings: ModelSettings = {}): Promise<Route> =>
  findRoute(name, { settings, env, now: Date.parse('2026-11-16'), table: loadPriceTable })

const brief = async (name: string, env?: Record<string, string>, settings?: ModelSettings): Promise<string> => {
  const { provider, model } = await route(name, env, settings)
  return `${provider} ${model}`
}

test('every preset has a route', async () => {
  for (const name of Object.keys(presets)) expect((await route(name)).model, name).not.toBe('')
})

test('presets go to their makers', async () => {
  expect(await brief('deepseek-chat')).toBe('deepseek deepseek-chat')
  expect(await route('glm-4.6')).toMatchObject({
    provider: 'zai',
    kind: 'anthropic',
    address: 'https://api.z.ai/api/anthropic/v1',
  })
  expect(await route('kimi-k2')).toMatchObject({ provider: 'moonshot', kind: 'anthropic', model: 'kimi-for-coding' })
  expect(await route('minimax-m2')).toMatchObject({
    kind: 'openai-compatible',
    model: 'MiniMax-M2',
    key: 'MINIMAX_API_KEY',
  })
  expect(await route('gpt-5.1')).toMatchObject({ kind: 'openai', setting: { api: 'responses', max_output: 128_000 } })
})

test('a model on Bedrock uses its group of regions', async () => {
  const model = async (region: string) =>
    (await route('bedrock-claude-haiku-4.5', { AWS_DEFAULT_REGION: region })).model
  expect(await model('eu-west-2')).toBe('eu.anthropic.claude-haiku-4-5-20251001-v1:0')
  expect(await model('us-east-1')).toBe('us.anthropic.claude-haiku-4-5-20251001-v1:0')
  expect(await model('ap-south-1')).toBe('anthropic.claude-haiku-4-5-20251001-v1:0')
})

test('uses the configured one of several providers', async () => {
  expect(await brief('gemini-2.5-flash', { GEMINI_API_KEY: 'x' })).toBe('google gemini-2.5-flash')
  expect(await brief('gemini-2.5-flash', { GOOGLE_CLOUD_PROJECT: 'x', GEMINI_API_KEY: 'y' })).toBe(
    'vertex gemini-2.5-flash',
  )
})

test('vendor/model goes to the vendor if its key is set, under the vendor’s name', async () => {
  expect(await brief('openai/gpt-4o-mini')).toBe('openai gpt-4o-mini')
  expect(await brief('anthropic/claude-3-haiku')).toBe('anthropic claude-3-haiku-20240307')
  expect(await brief('z-ai/glm-4.6')).toBe('zai glm-4.6')
  expect(await brief('minimax/minimax-m2')).toBe('minimax MiniMax-M2')
})

test('… and else to OpenRouter', async () => {
  const env = { OPENROUTER_API_KEY: 'x' }
  expect(await brief('openai/gpt-4o-mini', env)).toBe('openrouter openai/gpt-4o-mini')
  expect(await brief('anthropic/claude-3-haiku', env)).toBe('openrouter anthropic/claude-3-haiku')
  expect(await brief('zhipu/glm-4.6', env)).toBe('openrouter z-ai/glm-4.6')
  expect(await brief('gpt-4', env)).toBe('openrouter openai/gpt-4')
})

test('without any key, asks for the vendor’s key', async () => {
  expect(await brief('openai/gpt-4o-mini', {})).toBe('openai gpt-4o-mini')
})

test('an empty key does not count', async () => {
  expect(await brief('openai/gpt-4o-mini', { OPENAI_API_KEY: '', OPENROUTER_API_KEY: 'x' })).toBe(
    'openrouter openai/gpt-4o-mini',
  )
})

test('unknown vendors and :free models go to OpenRouter', async () => {
  expect(await brief('qwen/qwen3-coder')).toBe('openrouter qwen/qwen3-coder')
  expect(await brief('deepseek/deepseek-chat-v3-0324:free')).toBe('openrouter deepseek/deepseek-chat-v3-0324:free')
  expect(await brief('openrouter/anthropic/claude-sonnet-4')).toBe('openrouter anthropic/claude-sonnet-4')
})

test(':free and local models cost nothing', async () => {
  const price = async (name: string) => priceOf(await route(name), loadPriceTable)
  expect(await price('alibaba/tongyi-deepresearch-30b-a3b:free')).toEqual({ from: 'declared_free' })
  expect(await price('ollama/qwen3:8b')).toEqual({ from: 'declared_free' })
  expect(await price('some-vendor/unheard-of')).toBeNull()
})

test("Ollama uses its own variable and OpenAI's API", async () => {
  expect(await route('ollama/qwen3:8b')).toMatchObject({ model: 'qwen3:8b', address: 'http://127.0.0.1:11434/v1' })
  expect(await route('local/qwen3', { OLLAMA_HOST: 'box:11434' })).toMatchObject({ address: 'http://box:11434/v1' })
  expect(await route('local/qwen3', { OLLAMA_BASE_URL: 'http://box/v1/' })).toMatchObject({ address: 'http://box/v1' })
})

test('bare names resolve by the price table', async () => {
  expect(await brief('gpt-4')).toBe('openai gpt-4')
  expect(await brief('claude-3-sonnet')).toBe('anthropic claude-3-sonnet-20240229')
  expect(await brief('gemini-pro')).toBe('google gemini-pro')
})

test('a retired model is reported, with its replacement', async () => {
  expect((await route('gpt-4')).notes).toEqual([
    'gpt-4 was retired by OpenAI on 2026-10-23; the nearest is gpt-5.6-sol',
  ])
  expect((await route('claude-3-sonnet')).notes[0]).toContain('the nearest is claude-sonnet-4-6')
  expect((await route('anthropic/claude-3-sonnet', { OPENROUTER_API_KEY: 'x' })).notes[0]).toContain(
    'claude-sonnet-4-6',
  )
  expect((await route('gpt-4o-mini')).notes[0]).toContain('will be retired by OpenAI on 2027-01-14')
  expect((await route('gpt-5.2')).notes).toEqual([])
})

test('an ambiguous name is reported, with unambiguous ones', async () => {
  await expect(route('global.anthropic.claude-opus-5-5')).rejects.toMatchObject({
    fault: 'unknown_model',
    message: 'global.anthropic.claude-opus-5-5: several providers have it: google, bedrock',
    hint: 'say which: google/global.anthropic.claude-opus-5-5 or bedrock/global.anthropic.claude-opus-5-5',
  })
})

test('a misspelt name gets the nearest as suggestion', async () => {
  await expect(route('gtp-4o-mini')).rejects.toMatchObject({
    fault: 'unknown_model',
    hint: 'did you mean "gpt-4o-mini"?',
  })
  await expect(route('sim/smal')).rejects.toMatchObject({ hint: 'did you mean "sim/small"?' })
  await expect(route('x', all, { x: { address: 'http://127.0.0.1:9/v1' } })).rejects.toMatchObject({
    message: "x: its settings don't say who provides it",
    hint: 'name a provider under models: { "x": { provider: openai-compatible, address: … } }',
  })
  await expect(route('x', all, { x: { provider: 'opnai' } })).rejects.toMatchObject({ hint: 'did you mean "openai"?' })
})

test('settings add models, change presets, and extend others', async () => {
  const settings: ModelSettings = {
    mine: { provider: 'openai-compatible', address: 'http://127.0.0.1:8000/v1', model: 'qwen3', key: 'MY_KEY' },
    'gpt-4o-mini': { temperature: 0, price: [{ above: 0, input: 9, output: 9 }] },
    careful: { like: 'gpt-4o-mini', temperature: 0.1 },
    'sim/mine': { rules: [{ answer: 'x' }] },
  }
  expect(await route('mine', {}, settings)).toMatchObject({
    model: 'qwen3',
    key: 'MY_KEY',
    address: 'http://127.0.0.1:8000/v1',
  })
  expect(await route('gpt-4o-mini', all, settings)).toMatchObject({
    provider: 'openai',
    setting: { temperature: 0, context: 128_000 },
  })
  expect(await route('careful', all, settings)).toMatchObject({
    provider: 'openai',
    setting: { temperature: 0.1, context: 128_000 },
  })
  expect(await route('sim/mine', {}, settings)).toMatchObject({ kind: 'sim' })
  await expect(route('nowhere', {}, { nowhere: { provider: 'openai-compatible' } })).rejects.toMatchObject({
    hint: expect.stringContaining('address:'),
  })
})

test('"like" sets the requested model', async () => {
  expect((await route('careful', all, { careful: { like: 'gpt-4o-mini' } })).model).toBe('gpt-4o-mini')
})

test('the identity of a run includes temperature and rules, but not prices, keys and addresses', () => {
  const settings: ModelSettings = {
    a: {
      provider: 'openai',
      key: 'K',
      address: 'http://x',
      price: 'free',
      timeout_ms: 1,
      temperature: 0.5,
      max_output: 9,
    },
    'sim/a': { rules: [{ answer: 'x' }], latency: { base_ms: 1, per_token_ms: 0, spread: 0 } },
  }
  expect(behaviourOf('a', settings)).toEqual({ provider: 'openai', temperature: 0.5, max_output: 9 })
  expect(behaviourOf('sim/a', settings)).toEqual({ rules: [{ answer: 'x' }] })
})

test('provider:model and provider:api:model select provider and API', async () => {
  expect(await brief('openai:gpt-4o-mini')).toBe('openai gpt-4o-mini')
  expect(await brief('anthropic:messages:claude-3-haiku')).toBe('anthropic claude-3-haiku-20240307')
  expect(await brief('anthropic:claude-sonnet-4-5-20250929')).toBe('anthropic claude-sonnet-4-5-20250929')
  expect(await route('openai:responses:gpt-4o')).toMatchObject({ provider: 'openai', setting: { api: 'responses' } })
  expect(await route('openai:chat:gpt-5.1')).toMatchObject({ model: 'gpt-5.1', setting: { api: 'chat' } })
  expect(await brief('google:gemini-2.5-flash')).toBe('google gemini-2.5-flash')
  expect(await brief('openrouter:qwen/qwen3-coder')).toBe('openrouter qwen/qwen3-coder')
  expect(await brief('openrouter:deepseek/deepseek-r1:free')).toBe('openrouter deepseek/deepseek-r1:free')
  expect(await brief('ollama:chat:qwen3:8b')).toBe('ollama qwen3:8b')
  expect(await brief('xai:grok-4')).toBe('x-ai grok-4')
  expect(await brief('mistral:mistral-large-latest')).toBe('mistral mistral-large-latest')
  expect(await brief('bedrock:amazon.nova-pro-v1:0')).toBe('bedrock amazon.nova-pro-v1:0')
  expect(await brief('ft:gpt-4o-mini-2024-07-18:acme::abc')).toBe('openai ft:gpt-4o-mini-2024-07-18:acme::abc')
})

test.each([
  ['ws://localhost:8080/chat', 'an address (ws://)', 'openai-compatible'],
  ['https://api.example.com/v1', 'an address (https://)', 'openai-compatible'],
  ['file://provider.js', 'an address (file://)', 'openai-compatible'],
  ['antropic:messages:claude-3-haiku', '"antropic" is no provider', 'did you mean "anthropic"?'],
  ['qwen3:8b', '"qwen3" is no provider', 'ollama/qwen3:8b'],
  ['python:my_provider.py', '"python" is no provider', 'openai:gpt-4o'],
  ['openai:embedding:text-embedding-3-small', '"embedding" is not asked here', 'openai:text-embedding-3-small'],
  ['openai:', 'it names no model', 'openai:gpt-4o'],
])('%s is refused by name', async (name, why, hint) => {
  const error = await route(name).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  expect(error).toMatchObject({ fault: 'unknown_model', message: expect.stringContaining(why) })
  expect(error).toMatchObject({ hint: expect.stringContaining(hint) })
})

test('a hint prefers presets to ids of the price table', async () => {
  const hint = async (name: string) => route(name).catch((error: { hint?: string }) => error.hint)
  expect(await hint('claude-sonet-4.5')).toBe('did you mean "claude-sonnet-4.5"?')
  expect(await hint('gpt-4o-mni')).toBe('did you mean "gpt-4o-mini"?')
})

test('an unlisted model of a known provider is refused, unless it is named under models', async () => {
  const doubt = async (name: string, settings?: ModelSettings) => (await route(name, all, settings)).doubt
  expect(await doubt('openai/gpt-4o-mni')).toEqual({
    message: 'OpenAI is not known to have a model "gpt-4o-mni"',
    hint: 'did you mean "gpt-4o-mini"?',
  })
  expect(await doubt('openai/gpt-4o-mni', { 'openai/gpt-4o-mni': {} })).toBeNull()
  expect(await doubt('openai/gpt-4o-2024-08-06')).toBeNull()
  expect(await doubt('anthropic/claude-3-haiku')).toBeNull()
  expect(await doubt('some-vendor/unheard-of')).toMatchObject({ message: expect.stringContaining('OpenRouter') })
  expect(await doubt('ollama/anything')).toBeNull()
  for (const name of Object.keys(presets)) expect(await doubt(name), name).toBeNull()
})
