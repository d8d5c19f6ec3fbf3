import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../src/util/json.ts'

/** A server's bill for one request. */
export interface Bill {
  /** All input tokens, and the parts read from and written to the server's cache. */
  readonly input: number
  readonly cached?: number
  readonly written?: number
  /** All of the output, reasoning included. */
  readonly output: number
  readonly reasoning?: number
}

/** A server's reaction to a request: an answer with a bill, or a fault. */
export type Answered =
  | { readonly kind: 'answer'; readonly bill: Bill }
  /** Billed, and then the connection ends before the answer is through. */
  | { readonly kind: 'cut'; readonly bill: Bill }
  | { readonly kind: 'status'; readonly status: number }

export interface Asked {
  readonly body: JsonObject
  readonly protocol: Protocol
  /** The longest output that the request allows, by the rule of its protocol. */
  readonly limit: number
  /** How many bytes the request has: no input has more tokens. */
  readonly bytes: number
}

type Protocol = 'chat' | 'responses' | 'anthropic' | 'google' | 'bedrock'

export interface BillingServer {
  readonly url: string
  readonly asked: readonly Asked[]
  /** Of everything that was billed, whether the answer arrived or not. */
  readonly bills: readonly Bill[]
}

/** A server that supports every provider's API, counts by its own rule, and records its bills. */
export async function startBillingServer(answer: (asked: Asked, nth: number) => Answered): Promise<BillingServer> {
  const asked: Asked[] = []
  const bills: Bill[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      const body: JsonObject = JSON.parse(text)
      const protocol = protocolOf(request.url ?? '')
      const one = { body, protocol, limit: limitOf(body, protocol), bytes: text.length }
      asked.push(one)
      const answered = answer(one, asked.length)
      if (answered.kind !== 'status') bills.push(answered.bill)
      reply(response, one, answered)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, asked, bills }
}

/** Everything pointed at this server, with all keys. */
export const environmentOf = ({ url }: BillingServer): Record<string, string> => ({
  OPENAI_API_KEY: 'sk-planted',
  OPENAI_BASE_URL: `${url}/v1`,
  ANTHROPIC_API_KEY: 'sk-ant-planted',
  ANTHROPIC_BASE_URL: `${url}/v1`,
  OPENROUTER_API_KEY: 'sk-or-planted',
  OPENROUTER_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: 'gk-planted',
  GOOGLE_GEMINI_BASE_URL: `${url}/v1beta`,
  DEEPSEEK_API_KEY: 'dk-planted',
  DEEPSEEK_BASE_URL: `${url}/v1`,
  MOONSHOT_API_KEY: 'mk-planted',
  MOONSHOT_BASE_URL: `${url}/v1`,
  XAI_API_KEY: 'xk-planted',
  XAI_BASE_URL: `${url}/v1`,
  MISTRAL_API_KEY: 'ml-planted',
  MISTRAL_BASE_URL: `${url}/v1`,
  AWS_REGION: 'us-east-1',
  AWS_BEARER_TOKEN_BEDROCK: 'bk-planted',
  AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url,
})

function protocolOf(path: string): Protocol {
  if (path.endsWith('/messages')) return 'anthropic'
  if (path.endsWith('/responses')) return 'responses'
  if (path.includes('enerateContent')) return 'google'
  return path.includes('/converse') ? 'bedrock' : 'chat'
}

/** Each in the words of its documentation; thinking and reasoning are part of all of them. */
function limitOf(body: JsonObject, protocol: Protocol): number {
  const { generationConfig, inferenceConfig } = body as { [key: string]: { [key: string]: number } | undefined }
  const limit = {
    chat: body.max_completion_tokens ?? body.max_tokens,
    responses: body.max_output_tokens,
    anthropic: body.max_tokens,
    google: generationConfig?.maxOutputTokens,
    bedrock: inferenceConfig?.maxTokens,
  }[protocol]
  return typeof limit === 'number' ? limit : 0
}

function reply(response: ServerResponse, { body, protocol }: Asked, answered: Answered): void {
  if (answered.kind === 'status') {
    response.writeHead(answered.status, { 'content-type': 'application/json', 'retry-after': '0' })
    response.end(JSON.stringify({ error: { message: 'no', type: 'no' } }))
    return
  }
  const text = JSON.stringify(messageOf(protocol, String(body.model ?? 'm'), answered.bill))
  if (answered.kind === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, text.length / 2), () => response.destroy())
    return
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(text)
}

function messageOf(protocol: Protocol, model: string, bill: Bill): object {
  const { input, cached = 0, written = 0, output, reasoning = 0 } = bill
  switch (protocol) {
    case 'anthropic':
      return {
        id: 'msg',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text: 'Hi' }],
        stop_reason: 'end_turn',
        usage: {
          input_tokens: input - cached - written,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: written,
          output_tokens: output,
        },
      }
    case 'google':
      return {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: input,
          cachedContentTokenCount: cached,
          candidatesTokenCount: output - reasoning,
          thoughtsTokenCount: reasoning,
          totalTokenCount: input + output,
        },
      }
    case 'bedrock':
      return {
        output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
        stopReason: 'end_turn',
        usage: {
          inputTokens: input - cached - written,
          cacheReadInputTokens: cached,
          cacheWriteInputTokens: written,
          outputTokens: output,
          totalTokens: input + output,
        },
      }
    case 'responses':
      return {
        id: 'resp',
        created_at: 0,
        model,
        output: [
          {
            type: 'message',
            role: 'assistant',
            id: 'm',
            content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
          },
        ],
        usage: {
          input_tokens: input,
          input_tokens_details: { cached_tokens: cached },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: reasoning },
        },
      }
    case 'chat':
      return {
        id: 'chat',
        object: 'chat.completion',
        created: 0,
        model,
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
        usage: chatUsage(model, bill),
      }
  }
}

/** xAI counts reasoning separately; DeepSeek and Moonshot have their own names for cached input. */
function chatUsage(model: string, { input, cached = 0, output, reasoning = 0 }: Bill): object {
  const common = { prompt_tokens: input, total_tokens: input + output }
  const details = { completion_tokens_details: { reasoning_tokens: reasoning } }
  if (model.startsWith('grok'))
    return {
      ...common,
      ...details,
      completion_tokens: output - reasoning,
      prompt_tokens_details: { cached_tokens: cached },
    }
  const whole = { ...common, ...details, completion_tokens: output }
  if (model.startsWith('deepseek'))
    return { ...whole, prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: input - cached }
  if (model.startsWith('kimi')) return { ...whole, cached_tokens: cached }
  return { ...whole, prompt_tokens_details: { cached_tokens: cached } }
}
