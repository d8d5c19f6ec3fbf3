import type { ServerResponse } from 'node:http'
import type { ModelCall } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, calm, chatCompletion, startServer } from '../support.ts'

/** Each provider's own API, by a model that is asked through it. */
export const apis = {
  'OpenAI chat': { model: 'gpt-4o-mini', env: { OPENAI_API_KEY: 'k' }, address: 'OPENAI_BASE_URL' },
  'OpenAI responses': { model: 'gpt-5.1', env: { OPENAI_API_KEY: 'k' }, address: 'OPENAI_BASE_URL' },
  Anthropic: { model: 'claude-haiku-4.5', env: { ANTHROPIC_API_KEY: 'k' }, address: 'ANTHROPIC_BASE_URL' },
  DeepSeek: { model: 'deepseek-chat', env: { DEEPSEEK_API_KEY: 'k' }, address: 'DEEPSEEK_BASE_URL' },
  Google: { model: 'google/gemini-2.5-flash', env: { GEMINI_API_KEY: 'k' }, address: 'GOOGLE_GEMINI_BASE_URL' },
  'Bedrock Claude': {
    model: 'bedrock-claude-haiku-4.5-us',
    env: { AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'k' },
    address: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  },
  'Bedrock Nova': {
    model: 'bedrock-nova-pro-us',
    env: { AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'k' },
    address: 'AWS_ENDPOINT_URL_BEDROCK_RUNTIME',
  },
  OpenRouter: {
    model: 'openrouter/anthropic/claude-sonnet-4',
    env: { OPENROUTER_API_KEY: 'k' },
    address: 'OPENROUTER_BASE_URL',
  },
} as const

export type Api = keyof typeof apis

/** The body that a provider's package really sends for a call, captured by our own server. */
export async function sentBy(
  api: Api,
  call: Partial<ModelCall>,
): Promise<{ readonly body: Body; readonly notices: readonly string[] }> {
  const { model, env, address } = apis[api]
  const server = await startServer((response, _, request) => answer(response, request.url ?? ''))
  const notices: string[] = []
  const models = openModels({
    env: { ...env, [address]: api.startsWith('Bedrock') ? server.address.replace('/v1', '') : server.address },
    retry: { tries: 1 },
    onNotice: notice => void notices.push(notice),
  })
  const client = models.client({ permits: new CountedPermits(), seed: 1 })
  const messages = [{ role: 'user' as const, content: 'hello' }]
  const sent = client.call({ model, messages, purpose: 'agent', max_output_tokens: 100, ...call }, calm())
  await sent.catch((error: unknown) => {
    // The server never calls tools: only the request is checked.
    if (server.requests.length === 0) throw error
  })
  return { body: JSON.parse(server.requests[0]?.body ?? 'null'), notices }
}

/** Whatever JSON came. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of seven forms
export type Body = any

function answer(response: ServerResponse, path: string): void {
  response.setHeader('content-type', 'application/json')
  const usage = { input_tokens: 10, output_tokens: 2 }
  if (path.endsWith('/messages'))
    return void response.end(
      JSON.stringify({
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'served', stop_reason: 'end_turn', usage },
        content: [{ type: 'text', text: 'Hi' }],
      }),
    )
  if (path.endsWith('/responses'))
    return void response.end(
      JSON.stringify({
        ...{ id: 'resp_1', created_at: 1, model: 'served', object: 'response', status: 'completed', usage },
        output: [
          {
            ...{ type: 'message', id: 'm', role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text: 'Hi', annotations: [] }],
          },
        ],
      }),
    )
  if (path.includes('generateContent'))
    return void response.end(
      JSON.stringify({
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 2, totalTokenCount: 12 },
      }),
    )
  if (path.includes('/converse'))
    return void response.end(
      JSON.stringify({
        output: { message: { role: 'assistant', content: [{ text: 'Hi' }] } },
        stopReason: 'end_turn',
        usage: { inputTokens: 10, outputTokens: 2, totalTokens: 12 },
      }),
    )
  response.end(chatCompletion('Hi'))
}
