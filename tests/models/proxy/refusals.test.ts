import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/util/json.ts'
import { chatCompletion, startServer } from '../support.ts'
import { environmentAt, type Opened, openTestProxy, post, price, realKey, settingsFor, user } from './support.ts'

/** A provider that takes everything, and remembers it. */
async function openAtEcho(more: Parameters<typeof settingsFor>[1] = {}) {
  const server = await startServer(response => response.writeHead(200, json).end(chatCompletion('fine')))
  const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m', more) })
  const sent = (): JsonObject => JSON.parse(server.requests.at(-1)?.body ?? '{}')
  return { ...opened, server, sent }
}

const json = { 'content-type': 'application/json' }
const chat = { model: 'gpt', messages: [user('hello')] }
const errorIn = (text: string): { message: string; code?: string; type?: string } => JSON.parse(text).error

describe('keys', () => {
  test.each([
    ['none', {}, 401, /API key/],
    ['a wrong one', { authorization: 'Bearer sk-wrong' }, 401, /Incorrect API key/],
    ['the real one', { authorization: `Bearer ${realKey}` }, 401, /Incorrect API key/],
  ])('%s is refused', async (_, headers, status, message) => {
    const { root, server } = await openAtEcho()
    const answer = await fetch(`${root}/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify(chat) })
    expect(answer.status).toBe(status)
    expect(errorIn(await answer.text()).message).toMatch(message)
    expect(server.requests).toEqual([])
  })

  test('a wrong key gets the error that official clients expect', async () => {
    const { root } = await openAtEcho()
    const openai = new OpenAI({ apiKey: 'sk-wrong', baseURL: `${root}/v1`, maxRetries: 0 })
    const anthropic = new Anthropic({ apiKey: 'sk-wrong', baseURL: root, maxRetries: 0 })
    await expect(openai.chat.completions.create(chat)).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
    const asked = anthropic.messages.create({ model: 'claude', max_tokens: 10, messages: [user('hello')] })
    await expect(asked).rejects.toBeInstanceOf(Anthropic.AuthenticationError)
  })

  test('the real key goes to the provider, and the agent’s key does not', async () => {
    const { openai, server, proxy } = await openAtEcho()
    await openai.chat.completions.create(chat, { headers: { 'x-agent-secret': 'mine', cookie: 'a=b' } })
    const [request] = server.requests
    expect(request?.headers.authorization).toBe(`Bearer ${realKey}`)
    expect(JSON.stringify(request)).not.toContain(proxy.key)
    expect(request?.headers).not.toHaveProperty('x-agent-secret')
    expect(request?.headers).not.toHaveProperty('cookie')
  })
})

describe('requests that can’t be metered', () => {
  test.each([
    ['/v1/responses', { input: 'hi', previous_response_id: 'resp_1' }, 'previous_response_id'],
    ['/v1/responses', { input: 'hi', conversation: 'conv_1' }, 'conversation'],
    ['/v1/responses', { input: 'hi', background: true }, 'background'],
    ['/v1/responses', { input: [{ type: 'item_reference', id: 'rs_1' }] }, 'item_reference'],
    ['/v1/responses', { input: 'hi', service_tier: 'priority' }, 'service_tier'],
    ['/v1/responses', { prompt: { id: 'pmpt_1' } }, 'prompt'],
    ['/v1/chat/completions', { messages: [user('hi')], modalities: ['text', 'audio'] }, 'audio'],
    ['/v1/chat/completions', { messages: [user('hi')], web_search_options: {} }, 'web_search_options'],
    ['/v1/messages', { messages: [user('hi')], max_tokens: 9, mcp_servers: [{ url: 'http://x' }] }, 'mcp_servers'],
    ['/v1/messages', { messages: [user('hi')], max_tokens: 9, speed: 'fast' }, 'speed'],
  ])('%s refuses %j by name', async (path, body, name) => {
    const opened = await openAtEcho()
    const { status, text, headers } = await post(opened, path, {
      model: path.includes('messages') ? 'claude' : 'gpt',
      ...body,
    })
    expect(status).toBe(400)
    expect(errorIn(text).message).toContain(`does not take ${name}`)
    expect(headers.get('x-should-retry')).toBe('false')
    expect(opened.server.requests).toEqual([])
    expect(opened.permits.asked).toEqual([])
    expect(opened.notices).toContainEqual(expect.stringContaining(name))
  })

  test('tools that the provider would execute are left out, with a notice', async () => {
    const opened = await openAtEcho()
    const own = { type: 'function', name: 'look', parameters: { type: 'object', properties: {} } }
    const tools = [own, { type: 'web_search' }, { type: 'mcp', server_url: 'http://x' }]
    await post(opened, '/v1/responses', { model: 'gpt', input: 'hi', tools, tool_choice: 'auto' })
    expect(opened.sent().tools).toEqual([own])
    await post(opened, '/v1/responses', {
      model: 'gpt',
      input: 'hi',
      tools: [{ type: 'web_search' }],
      tool_choice: 'auto',
    })
    expect(opened.sent()).not.toHaveProperty('tools')
    expect(opened.sent()).not.toHaveProperty('tool_choice')
    const about = opened.notices.filter(notice => notice.includes('left out'))
    expect(about).toHaveLength(2)
  })

  test('an unknown model is refused, with the nearest one', async () => {
    const opened = await openAtEcho()
    const { status, text } = await post(opened, '/v1/chat/completions', { model: 'gpt-4o-mni', messages: [user('hi')] })
    expect({ status, ...errorIn(text) }).toMatchObject({ status: 404, code: 'model_not_found' })
    expect(errorIn(text).message).toContain('gpt-4o-mini')
    expect(opened.proxy.problem?.fault).toBe('unknown_model')
  })

  test('a provider gets only requests in its known APIs', async () => {
    const opened = await openAtEcho()
    const wrong = await post(opened, '/v1/messages', { model: 'gpt', max_tokens: 5, messages: [user('hi')] })
    expect({ status: wrong.status, ...JSON.parse(wrong.text) }).toMatchObject({ status: 400, type: 'error' })
    expect(errorIn(wrong.text).message).toMatch(/gpt is served by OpenAI, which is not known to speak the Messages API/)
    const compatible = { provider: 'openai-compatible', address: opened.server.address, model: 'm', price }
    const other = await openTestProxy({ settings: { plain: compatible, both: { ...compatible, api: 'responses' } } })
    const ask = (model: string) => post(other, '/v1/responses', { model, input: 'hi' })
    expect(errorIn((await ask('plain')).text).message).toContain('api: responses')
    expect((await ask('both')).status).toBe(200)
  })

  test.each([
    ['GET', '/v1/responses/resp_1'],
    ['POST', '/v1/embeddings'],
    ['POST', '/v1/files'],
  ])('refuses %s %s', async (method, path) => {
    const { root, proxy } = await openAtEcho()
    const answer = await fetch(`${root}${path}`, { method, headers: { authorization: `Bearer ${proxy.key}` } })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toContain(`does not carry ${method} ${path}`)
  })
})

test.each(['//', 'http://[', '/v1/models/%', '*'])('survives an agent’s request for %j', async path => {
  const { root, proxy } = await openAtEcho()
  const { port } = new URL(root)
  const answered = async (asked: string): Promise<number | undefined> => {
    const headers = { authorization: `Bearer ${proxy.key}` }
    const sent = request({ host: '127.0.0.1', port, path: asked, method: 'GET', headers }).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  expect(await answered(path)).toBeGreaterThanOrEqual(400)
  expect(await answered('/v1/models')).toBe(200)
})

describe('requests', () => {
  test('are forwarded byte for byte if nothing has to change', async () => {
    const opened = await openAtEcho()
    const written = '{ "messages":[{"role":"user","content":"h\\u00e9"}],\n "max_tokens": 5.0,"model":"m"}'
    const direct = await openTestProxy({
      env: environmentAt(opened.server.address),
      settings: { m: { provider: 'openai', price } },
    })
    await post(direct, '/v1/chat/completions', written)
    expect(opened.server.requests.at(-1)?.body).toBe(written)
  })

  test('without a limit get one from the settings, with one notice', async () => {
    const opened = await openAtEcho({ max_output: 700 })
    await post(opened, '/v1/chat/completions', chat)
    expect(opened.sent()).toMatchObject({ max_completion_tokens: 700 })
    await post(opened, '/v1/responses', { model: 'gpt', input: 'hi' })
    expect(opened.sent()).toMatchObject({ max_output_tokens: 700 })
    expect(opened.notices.filter(notice => notice.includes('700 tokens are sent'))).toHaveLength(1)
  })

  test('may be compressed', async () => {
    const opened = await openAtEcho()
    for (const [encoding, pack] of [
      ['gzip', gzipSync],
      ['zstd', zstdCompressSync],
    ] as const) {
      const answer = await fetch(`${opened.root}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${opened.proxy.key}`, 'content-encoding': encoding },
        body: new Uint8Array(pack(JSON.stringify(chat))),
      })
      expect(answer.status).toBe(200)
    }
    expect(opened.sent()).toMatchObject({ messages: chat.messages })
  })

  test('the list of models is that of the experiment', async () => {
    const { openai, anthropic, root } = await openAtEcho()
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual(['gpt', 'claude'])
    expect((await anthropic.models.retrieve('claude')).id).toBe('claude')
    expect((await fetch(root, { method: 'HEAD' })).status).toBe(200)
  })
})

describe('refusals of a provider', () => {
  const failing = async (status: number, headers: Record<string, string>, body: string): Promise<Opened> => {
    const server = await startServer(response => response.writeHead(status, { ...json, ...headers }).end(body))
    return openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m') })
  }

  test('429 reaches the agent unchanged, and counts for the rates', async () => {
    const body = JSON.stringify({ error: { message: 'slow down', type: 'requests', code: 'rate_limit_exceeded' } })
    const opened = await failing(429, { 'retry-after-ms': '2500', 'x-ratelimit-remaining-requests': '0' }, body)
    const answer = await post(opened, '/v1/chat/completions', chat)
    expect(answer).toMatchObject({ status: 429, text: body })
    expect(answer.headers.get('retry-after-ms')).toBe('2500')
    expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(opened.permits.settled).toMatchObject([{ usd: 0, tokens: 0, rate_limited: { retry_after_ms: 2500 } }])
    expect(opened.proxy.totals()).toMatchObject({ calls: 1, failed_calls: 1, cost_usd: 0 })
  })

  test('each try of the agent has its own permit', async () => {
    const server = await startServer((response, nth) =>
      nth < 3
        ? response.writeHead(500, json).end('{"error":{"message":"sorry"}}')
        : response.writeHead(200, json).end(chatCompletion('at last')),
    )
    const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m') })
    const openai = new OpenAI({ apiKey: opened.proxy.key, baseURL: `${opened.root}/v1`, maxRetries: 3 })
    const { choices } = await openai.chat.completions.create(chat)
    expect(choices[0]?.message.content).toBe('at last')
    expect(opened.permits.settled.map(({ usd }) => usd)).toEqual([0, 0, expect.any(Number)])
    expect(opened.proxy.problem).toBeNull()
  })

  test('a key that the provider quotes does not reach the agent', async () => {
    const opened = await failing(401, { 'x-request-id': 'r' }, `{"error":{"message":"Incorrect API key: ${realKey}"}}`)
    const { status, text } = await post(opened, '/v1/chat/completions', chat)
    expect(status).toBe(401)
    expect(text).toContain('Incorrect API key: [key]')
    expect(opened.proxy.problem?.message).not.toContain(realKey)
  })

  test('a provider that can not be reached is 502', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as AddressInfo
    await new Promise(resolve => gone.close(resolve))
    const env = environmentAt(`http://127.0.0.1:${port}/v1`)
    const opened = await openTestProxy({ env, settings: settingsFor('m') })
    expect((await post(opened, '/v1/chat/completions', chat)).status).toBe(502)
    expect(opened.permits.settled).toMatchObject([{ usd: 0 }])
    expect(opened.proxy.problem?.fault).toBe('connection_failed')
  })

  test('a redirect is not followed: the key would go with it', async () => {
    const other = await startServer(response => response.writeHead(200, json).end(chatCompletion('mine now')))
    const opened = await failing(307, { location: `${other.address}/chat/completions` }, '')
    expect((await post(opened, '/v1/chat/completions', chat)).status).toBe(502)
    expect(other.requests).toEqual([])
  })
})
