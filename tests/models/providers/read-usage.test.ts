import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Usage } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, startServer } from '../support.ts'

/** A usage in a provider's documented form, and what it means. */
interface Shape {
  readonly model: string
  readonly env: (address: string) => Record<string, string>
  /** The response around the usage. */
  readonly wrap: (usage: object) => object
  readonly usage: object
  readonly means: Partial<Usage> | 'unknown'
  readonly cost_usd?: number
  /** The name of the expected warning, if any. */
  readonly warning?: string
}

const chat = (usage: object): object => ({
  id: 'c',
  object: 'chat.completion',
  created: 0,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage,
})
const anthropic = (usage: object): object => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage,
})
const google = (usageMetadata: object): object => ({
  candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
  usageMetadata,
})
const responses = (usage: object): object => ({
  id: 'r',
  created_at: 0,
  model: 'm',
  output: [
    { type: 'message', role: 'assistant', id: 'm', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
  ],
  usage,
})
const converse = (usage: object): object => ({
  output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
  stopReason: 'end_turn',
  usage,
})

const keyAndAddress = (name: string) => (address: string) => ({
  [`${name}_API_KEY`]: 'planted',
  [`${name}_BASE_URL`]: address,
})
const xai = { model: 'xai/grok-4', env: keyAndAddress('XAI'), wrap: chat }
const deepseek = { model: 'deepseek-chat', env: keyAndAddress('DEEPSEEK'), wrap: chat }
const moonshot = { model: 'moonshot/kimi-k2-thinking', env: keyAndAddress('MOONSHOT'), wrap: chat }
const openai = { model: 'gpt-4o-mini', env: keyAndAddress('OPENAI'), wrap: chat }
const claude = { model: 'claude-haiku-4.5', env: keyAndAddress('ANTHROPIC'), wrap: anthropic }

const shapes: { readonly [what: string]: Shape } = {
  'OpenAI counts reasoning and cached tokens in the whole': {
    ...openai,
    usage: {
      prompt_tokens: 2006,
      completion_tokens: 300,
      total_tokens: 2306,
      prompt_tokens_details: { cached_tokens: 1920, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 192, audio_tokens: 0 },
    },
    means: { input_tokens: 2006, cached_input_tokens: 1920, output_tokens: 300, reasoning_tokens: 192 },
  },
  "OpenAI's responses too": {
    model: 'gpt-5.1',
    env: keyAndAddress('OPENAI'),
    wrap: responses,
    usage: {
      input_tokens: 75,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 1186,
      output_tokens_details: { reasoning_tokens: 1024 },
      total_tokens: 1261,
    },
    means: { input_tokens: 75, cached_input_tokens: 64, output_tokens: 1186, reasoning_tokens: 1024 },
  },
  'xAI counts reasoning apart, and the total says so': {
    ...xai,
    usage: {
      prompt_tokens: 10_120,
      completion_tokens: 1499,
      total_tokens: 14_428,
      prompt_tokens_details: { cached_tokens: 128 },
      completion_tokens_details: { reasoning_tokens: 2809 },
    },
    means: { input_tokens: 10_120, cached_input_tokens: 128, output_tokens: 4308, reasoning_tokens: 2809 },
  },
  'xAI without a total': {
    ...xai,
    usage: { prompt_tokens: 100, completion_tokens: 300, completion_tokens_details: { reasoning_tokens: 2000 } },
    means: { input_tokens: 100, output_tokens: 2300, reasoning_tokens: 2000 },
  },
  'xAI with reasoning in the completion, should it come to that': {
    ...xai,
    usage: {
      prompt_tokens: 500,
      completion_tokens: 500,
      total_tokens: 1000,
      completion_tokens_details: { reasoning_tokens: 200 },
    },
    means: { input_tokens: 500, output_tokens: 500, reasoning_tokens: 200 },
  },
  'xAI tells its price in ticks': {
    ...xai,
    usage: {
      prompt_tokens: 10_120,
      completion_tokens: 1499,
      total_tokens: 14_428,
      completion_tokens_details: { reasoning_tokens: 2809 },
      cost_in_usd_ticks: 232_856_000,
    },
    means: { output_tokens: 4308 },
    cost_usd: 0.0232856,
  },
  'DeepSeek tells hits and misses': {
    ...deepseek,
    usage: {
      prompt_tokens: 1005,
      completion_tokens: 12,
      total_tokens: 1017,
      prompt_cache_hit_tokens: 960,
      prompt_cache_miss_tokens: 45,
    },
    means: { input_tokens: 1005, cached_input_tokens: 960, output_tokens: 12 },
  },
  'DeepSeek with hits and misses alone': {
    ...deepseek,
    usage: { prompt_cache_hit_tokens: 960, prompt_cache_miss_tokens: 45, completion_tokens: 12 },
    means: { input_tokens: 1005, cached_input_tokens: 960, output_tokens: 12 },
  },
  'Moonshot tells cached tokens beside the others': {
    ...moonshot,
    usage: { prompt_tokens: 19_530, completion_tokens: 44, total_tokens: 19_574, cached_tokens: 19_456 },
    means: { input_tokens: 19_530, cached_input_tokens: 19_456, output_tokens: 44 },
  },
  'Anthropic counts cached input apart, and what is kept for an hour': {
    ...claude,
    usage: {
      input_tokens: 21,
      cache_creation_input_tokens: 2000,
      cache_read_input_tokens: 188_086,
      cache_creation: { ephemeral_5m_input_tokens: 456, ephemeral_1h_input_tokens: 1544 },
      output_tokens: 393,
      output_tokens_details: { thinking_tokens: 300 },
    },
    means: {
      input_tokens: 190_107,
      cached_input_tokens: 188_086,
      cache_write_tokens: 2000,
      cache_write_1h_tokens: 1544,
      output_tokens: 393,
      reasoning_tokens: 300,
    },
    // 1.00, 0.10, 1.25, 2.00 and 5.00 USD for a million tokens.
    cost_usd: (21 * 1 + 188_086 * 0.1 + 456 * 1.25 + 1544 * 2 + 393 * 5) / 1e6,
  },
  'Gemini counts thoughts apart from its answer': {
    model: 'google/gemini-2.5-flash',
    env: address => ({ GEMINI_API_KEY: 'planted', GOOGLE_GEMINI_BASE_URL: address }),
    wrap: google,
    usage: { promptTokenCount: 11, candidatesTokenCount: 9, thoughtsTokenCount: 1021, totalTokenCount: 1041 },
    means: { input_tokens: 11, output_tokens: 1030, reasoning_tokens: 1021 },
  },
  'Bedrock tells for how long input is kept': {
    model: 'bedrock-claude-haiku-4.5',
    env: address => ({
      AWS_REGION: 'us-east-1',
      AWS_BEARER_TOKEN_BEDROCK: 'planted',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: address.replace('/v1', ''),
    }),
    wrap: converse,
    usage: {
      inputTokens: 10,
      outputTokens: 20,
      totalTokens: 130,
      cacheReadInputTokens: 40,
      cacheWriteInputTokens: 60,
      cacheDetails: [
        { ttl: '5m', inputTokens: 20 },
        { ttl: '1h', inputTokens: 40 },
      ],
    },
    means: { input_tokens: 110, cached_input_tokens: 40, cache_write_tokens: 60, cache_write_1h_tokens: 40 },
  },
  'OpenRouter tells its price': {
    model: 'qwen/qwen3-coder',
    env: keyAndAddress('OPENROUTER'),
    wrap: chat,
    usage: {
      prompt_tokens: 194,
      completion_tokens: 2,
      total_tokens: 196,
      cost: 0.95,
      prompt_tokens_details: { cached_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 0 },
    },
    means: { input_tokens: 194, cached_input_tokens: 10, output_tokens: 2 },
    cost_usd: 0.95,
  },
  'Mistral tells nothing but the three sums': {
    model: 'mistral/mistral-large-latest',
    env: keyAndAddress('MISTRAL'),
    wrap: chat,
    usage: { prompt_tokens: 15, completion_tokens: 7, total_tokens: 22 },
    means: { input_tokens: 15, output_tokens: 7, reasoning_tokens: 0 },
  },
  'an empty usage is unknown, not nothing': { ...deepseek, usage: {}, means: 'unknown' },
  'a usage without its output is unknown, not nothing': { ...deepseek, usage: { prompt_tokens: 5 }, means: 'unknown' },
  'more cached than there was': {
    ...openai,
    usage: { prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 150 } },
    means: { input_tokens: 250, cached_input_tokens: 150, output_tokens: 5 },
    warning: 'cached_beyond_input',
  },
  'more reasoning than there was': {
    ...deepseek,
    usage: { prompt_tokens: 100, completion_tokens: 5, completion_tokens_details: { reasoning_tokens: 60 } },
    means: { output_tokens: 65, reasoning_tokens: 60 },
    warning: 'reasoning_beyond_output',
  },
  'a total that its parts do not make': {
    ...deepseek,
    usage: { prompt_tokens: 100, completion_tokens: 5, total_tokens: 205 },
    means: { input_tokens: 100, output_tokens: 105 },
    warning: 'total_beyond_parts',
  },
}

for (const [what, { model, env, wrap, usage, means, cost_usd, warning }] of Object.entries(shapes))
  test(what, async () => {
    const server = await startServer(response => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(wrap(usage)))
    })
    const settings: ModelSettings = {
      [model]: { stream: false, ...(model.startsWith('gpt-5') && { api: 'responses' }) },
    }
    const notices: string[] = []
    const permits = new CountedPermits()
    const models = openModels({ env: env(server.address), settings, onNotice: notice => notices.push(notice) })
    const answer = await models.client({ permits, seed: 1 }).call(call(model, { max_output_tokens: 8000 }), calm())
    if (means === 'unknown') {
      expect(answer.cost_usd).toBeNull()
      expect(permits.settled[0]).toMatchObject({ usd: null, usage: null })
    } else expect(answer.usage).toMatchObject(means)
    if (cost_usd !== undefined) expect(answer.cost_usd).toBeCloseTo(cost_usd, 9)
    const told = notices.filter(notice => notice.includes('contradicts itself'))
    expect(told.map(notice => /\((\w+)\)/.exec(notice)?.[1])).toEqual(warning === undefined ? [] : [warning])
  })

test('reports a contradiction once', async () => {
  const server = await startServer((response, nth) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(chat({ prompt_tokens: 9, completion_tokens: nth, prompt_cache_hit_tokens: 10 + nth })))
  })
  const notices: string[] = []
  const env = deepseek.env(server.address)
  const client = openModels({ env, onNotice: notice => notices.push(notice) }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  for (let nth = 0; nth < 3; nth++) await client.call(call(deepseek.model), calm())
  expect(notices.filter(notice => notice.includes('cached_beyond_input'))).toHaveLength(1)
})
