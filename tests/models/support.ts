import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock } from '@copilotkit/aimock'
import { onTestFinished } from 'vitest'
import type { ModelSettings } from '../../src/define/models/model-settings.ts'
import type { Permit, PermitAsk, Permits, Settlement } from '../../src/define/permits.ts'
import type { ModelAnswer, ModelCall } from '../../src/models/model-call.ts'
import { ModelError } from '../../src/models/model-error.ts'
import { startSimServer } from '../../src/models/sim/server/sim-server.ts'

/** Permits that allow everything and record reports; settling one twice is an error. */
export class CountedPermits implements Permits {
  readonly asked: PermitAsk[] = []
  readonly settled: (Settlement & { readonly ask: PermitAsk })[] = []
  readonly #open = new Set<number>()

  async acquire(ask: PermitAsk): Promise<Permit> {
    this.asked.push(ask)
    this.#open.add(this.asked.length)
    return { id: this.asked.length, ask }
  }

  settle({ id, ask }: Permit, actual: Settlement): void {
    if (!this.#open.delete(id)) throw new Error(`permit ${id} was settled twice`)
    this.settled.push({ ...actual, ask })
  }

  get open(): number {
    return this.#open.size
  }
}

export const call = (model: string, more: Partial<ModelCall> = {}): ModelCall => ({
  model,
  messages: [{ role: 'user', content: 'hello' }],
  purpose: 'answer',
  max_output_tokens: 100,
  ...more,
})

/** Never aborted. */
export const calm = (): AbortSignal => new AbortController().signal

/** The ModelError that a call ends with. */
export async function errorOf(answer: Promise<ModelAnswer>): Promise<ModelError> {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof ModelError) return error
  throw new Error(`expected a ModelError, got ${error === null ? 'an answer' : error}`)
}

/** A server of aimock's, which speaks as OpenAI, Anthropic, OpenRouter and others do; gone when the test is over. */
export async function startAimock(options: ConstructorParameters<typeof LLMock>[0] = {}): Promise<LLMock> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', ...options })
  await mock.start()
  onTestFinished(async () => {
    await mock.stop()
  })
  return mock
}

/** Keys and addresses that lead to a server of aimock's. */
export const aimockEnvironment = (mock: LLMock): Record<string, string> => ({
  OPENAI_API_KEY: 'sk-openai-planted',
  OPENAI_BASE_URL: `${mock.url}/v1`,
  ANTHROPIC_API_KEY: 'sk-ant-planted',
  ANTHROPIC_BASE_URL: `${mock.url}/v1`,
  OPENROUTER_API_KEY: 'sk-or-planted',
  OPENROUTER_BASE_URL: `${mock.url}/api/v1`,
  GEMINI_API_KEY: 'gemini-planted',
  GOOGLE_GEMINI_BASE_URL: `${mock.url}/v1beta`,
})

export interface HandMadeServer {
  readonly address: string
  /** How many requests have come. */
  readonly requests: readonly { readonly headers: IncomingMessage['headers']; readonly body: string }[]
  /** Resolves when the client has closed the connection of a request. */
  readonly closed: Promise<void>
}

/** A server that answers as a test specifies, by the number of the request (from 1). */
export async function startServer(
  answer: (response: ServerResponse, nth: number, request: IncomingMessage) => void,
): Promise<HandMadeServer> {
  const requests: { headers: IncomingMessage['headers']; body: string }[] = []
  let sayClosed = (): void => {}
  const closed = new Promise<void>(resolve => {
    sayClosed = resolve
  })
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', chunk => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ headers: request.headers, body })
      answer(response, requests.length, request)
    })
    response.on('close', () => {
      if (!response.writableFinished) sayClosed()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}/v1`, requests, closed }
}

/** Our own simulated server with these models; it needs no key. */
export async function startSim(settings: ModelSettings): Promise<string> {
  const server = await startSimServer({ settings, port: 0, seed: 1, keys: 'not_needed' })
  onTestFinished(() => server.close())
  return server.address
}

/** OpenAI's answer, as text. */
export const chatCompletion = (content: string, more: object = {}): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'served-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
    ...more,
  })

/** Time that passes only when everything is waiting. */
export function virtualClock(start = 1_700_000_000_000): {
  now(): number
  elapsed(): number
  after(ms: number, callback: () => void): () => void
  readonly waited: number[]
} {
  let now = start
  const waited: number[] = []
  const timers = new Map<number, { readonly at: number; readonly callback: () => void }>()
  let nextId = 0
  let isScheduled = false
  const advance = (): void => {
    isScheduled = false
    const [first] = [...timers].sort(([, a], [, b]) => a.at - b.at)
    if (first === undefined) return
    const [id, timer] = first
    timers.delete(id)
    now = Math.max(now, timer.at)
    timer.callback()
    schedule()
  }
  const schedule = (): void => {
    if (isScheduled || timers.size === 0) return
    isScheduled = true
    // After all ready promises, so that work comes before waiting.
    setImmediate(advance)
  }
  return {
    now: () => now,
    elapsed: () => now,
    after(ms, callback) {
      const id = nextId++
      waited.push(ms)
      timers.set(id, { at: now + ms, callback })
      schedule()
      return () => void timers.delete(id)
    },
    waited,
  }
}
