import type { LLMock } from '@copilotkit/aimock'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { assay, folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, startAimock } from '../support.ts'

const usage = {
  input_tokens: 11,
  output_tokens: 3,
  prompt_tokens: 11,
  completion_tokens: 3,
  promptTokenCount: 11,
  candidatesTokenCount: 3,
  totalTokenCount: 14,
}

async function startMock(): Promise<LLMock> {
  const mock = await startAimock()
  mock.onMessage('', { content: 'Hi there!', usage })
  return mock
}

interface Way {
  readonly model: string
  readonly env: Readonly<Record<string, string>>
  readonly address?: string
}

/** Each provider in its own way, with everything pointed at this server. */
const ways = (url: string): { readonly [what: string]: Way } => ({
  'OpenAI (chat)': { model: 'gpt-4o-mini', env: { OPENAI_API_KEY: 'sk-planted', OPENAI_BASE_URL: `${url}/v1` } },
  'OpenAI (responses)': { model: 'gpt-5.1', env: { OPENAI_API_KEY: 'sk-planted', OPENAI_BASE_URL: `${url}/v1` } },
  Anthropic: { model: 'claude-haiku-4.5', env: { ANTHROPIC_API_KEY: 'sk-planted', ANTHROPIC_BASE_URL: `${url}/v1` } },
  DeepSeek: { model: 'deepseek-chat', env: { DEEPSEEK_API_KEY: 'sk-planted', DEEPSEEK_BASE_URL: `${url}/v1` } },
  'Z.AI': { model: 'glm-4.6', env: { ZHIPUAI_API_KEY: 'zk-planted' }, address: `${url}/v1` },
  Moonshot: { model: 'kimi-k2', env: { MOONSHOT_API_KEY: 'mk-planted' }, address: `${url}/v1` },
  MiniMax: { model: 'minimax-m2', env: { MINIMAX_API_KEY: 'mm-planted', MINIMAX_BASE_URL: `${url}/v1` } },
  'Google Gemini': {
    model: 'google/gemini-2.5-flash',
    env: { GEMINI_API_KEY: 'gk-planted', GOOGLE_GEMINI_BASE_URL: `${url}/v1beta` },
  },
  'Google Vertex AI': {
    model: 'gemini-2.5-flash',
    env: { GOOGLE_VERTEX_API_KEY: 'vk-planted' },
    address: `${url}/v1/projects/p/locations/global/publishers/google`,
  },
  'Bedrock with a bearer token': {
    model: 'bedrock-nova-pro',
    env: { AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'bk-planted', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url },
  },
  'Bedrock with keys': {
    model: 'bedrock-qwen3-32b',
    env: {
      AWS_DEFAULT_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'AKIAPLANTED',
      AWS_SECRET_ACCESS_KEY: 'secret-planted',
      AWS_SESSION_TOKEN: 'token-planted',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
    },
  },
  OpenRouter: {
    model: 'qwen/qwen3-coder',
    env: { OPENROUTER_API_KEY: 'or-planted', OPENROUTER_BASE_URL: `${url}/api/v1` },
  },
  Ollama: { model: 'ollama/qwen3:8b', env: { OLLAMA_HOST: url } },
})

for (const what of Object.keys(ways('')))
  for (const stream of [false, true])
    test(`${what} answers ${stream ? 'piece by piece' : 'at once'}`, async () => {
      const mock = await startMock()
      const { model, env, address } = ways(mock.url)[what] ?? { model: '', env: {} }
      const settings: ModelSettings = { [model]: { stream, ...(address === undefined ? {} : { address }) } }
      const client = openModels({ env, settings, retry: { tries: 1 } }).client({
        permits: new CountedPermits(),
        seed: 1,
      })
      const answer = await client.call(call(model), calm())
      expect(answer).toMatchObject({ text: 'Hi there!', usage: { input_tokens: 11, output_tokens: 3 } })
      expect(answer.cost_usd).not.toBeNull()
    })

test('the bundle finds the package of each provider', async () => {
  const mock = await startMock()
  const [openai, anthropic, gemini, bedrock, router, ollama] = [
    'OpenAI (chat)',
    'Anthropic',
    'Google Gemini',
    'Bedrock with keys',
    'OpenRouter',
    'Ollama',
  ].map(what => ways(mock.url)[what])
  const chosen = [openai, anthropic, gemini, bedrock, router, ollama].flatMap(way => way ?? [])
  const vertex = ways(mock.url)['Google Vertex AI']
  const cwd = folderWith({
    'experiment.yaml': `
name: shipped
target: { kind: command, command: [echo, '{model}'] }
factors: { model: [${[...chosen.map(({ model }) => model), 'on-vertex'].join(', ')}] }
models: { on-vertex: { provider: vertex, model: gemini-2.5-flash, address: '${vertex?.address}' } }
`,
  })
  const env = Object.assign({}, ...chosen.map(way => way.env), vertex?.env)
  const ended = await assay(['models', 'check', '--json'], { cwd, env: { ...env, GOOGLE_CLOUD_PROJECT: '' } })
  const { models } = JSON.parse(ended.stdout) as { models: { name: string; is_usable: boolean; error: unknown }[] }
  expect(models.filter(({ is_usable }) => !is_usable)).toEqual([])
  expect(models).toHaveLength(7)
  expect(ended.stdout).not.toContain('planted')
})
