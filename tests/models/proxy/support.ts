import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { onTestFinished } from 'vitest'
import type { ModelSetting, ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { RunOfCalls } from '../../../src/models/calls/run-calls.ts'
import { type ModelsOptions, openModels } from '../../../src/models/open-models.ts'
import type { ModelProxy } from '../../../src/models/proxy/proxy.ts'
import { type SimServer, startSimServer } from '../../../src/models/sim/server/sim-server.ts'
import { CountedPermits, calm } from '../support.ts'

/** A key that would cost money if it leaked. */
export const realKey = 'sk-real-0123456789abcdef'

export const price = [{ above: 0, input: 1, cached_input: 0.1, cache_write: 1.25, output: 10 }]

export interface Opened {
  readonly proxy: ModelProxy
  readonly permits: CountedPermits
  readonly notices: readonly string[]
  /** `http://127.0.0.1:…` */
  readonly root: string
  readonly openai: OpenAI
  readonly anthropic: Anthropic
}

/** A simulated provider that takes only the real key; gone when the test is over. */
export async function startProvider(settings: ModelSettings): Promise<SimServer> {
  const server = await startSimServer({ settings, port: 0, seed: 1, keys: [realKey] })
  onTestFinished(() => server.close())
  return server
}

/** Under `gpt` and `claude` the model of the provider at this address that is called so there. */
export const settingsFor = (model: string, more: ModelSetting = {}): ModelSettings => ({
  gpt: { provider: 'openai', model, price, ...more },
  claude: { provider: 'anthropic', model, price, ...more },
})

/** Keys and addresses that lead there. */
export const environmentAt = (address: string): Record<string, string> => ({
  OPENAI_API_KEY: realKey,
  OPENAI_BASE_URL: address,
  ANTHROPIC_API_KEY: realKey,
  ANTHROPIC_BASE_URL: address,
})

export interface TestProxyOptions {
  readonly env?: Record<string, string>
  readonly settings?: ModelSettings
  readonly run?: Partial<RunOfCalls>
  readonly models?: Partial<ModelsOptions>
  readonly signal?: AbortSignal
}

/** A proxy on loopback with clients that know its key; closed when the test is over. */
export async function openTestProxy(options: TestProxyOptions = {}): Promise<Opened> {
  const { env = {}, settings = {}, run = {}, signal = calm() } = options
  const permits = new CountedPermits()
  const notices: string[] = []
  const onNotice = (notice: string): void => void notices.push(notice)
  const models = openModels({ env, settings, onNotice, ...options.models })
  const proxy = await models.openProxy({ run: { permits, seed: 1, ...run }, listen: { port: 0 }, signal })
  onTestFinished(() => proxy.close())
  const root = `http://127.0.0.1:${proxy.port}`
  return {
    ...{ proxy, permits, notices, root },
    openai: new OpenAI({ apiKey: proxy.key, baseURL: `${root}/v1`, maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey: proxy.key, baseURL: root, maxRetries: 0 }),
  }
}

/** A request as an agent sends it, with the answer as it came. */
export async function post(
  { root, proxy }: Pick<Opened, 'root' | 'proxy'>,
  path: string,
  body: object | string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly text: string }> {
  const response = await fetch(`${root}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const user = (content: string): { role: 'user'; content: string } => ({ role: 'user', content })
