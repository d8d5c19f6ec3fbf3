import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { KeepMode } from '../../../src/models/cache/kept-calls.ts'
import { folderWith } from '../../support/assay.ts'
import { chatCompletion, startServer } from '../support.ts'
import {
  environmentAt,
  openTestProxy,
  post,
  price,
  realKey,
  settingsFor,
  startProvider,
  type TestProxyOptions,
  user,
} from './support.ts'

const served: ModelSettings = {
  'sim/worker': {
    price,
    rules: [
      { offers: 'look', turn: 1, reasoning: 'Hm.', answer: 'Looking.', tool: { name: 'look', arguments: { at: 'é' } } },
      { answer: 'You said: {last}' },
    ],
  },
}

const parameters = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }

/** An agent's requests in all three APIs, whole and streamed. */
const asked = [false, true].flatMap(
  stream =>
    [
      [
        '/v1/chat/completions',
        {
          model: 'gpt',
          stream,
          messages: [user('héllo')],
          tools: [{ type: 'function', function: { name: 'look', parameters } }],
        },
      ],
      [
        '/v1/responses',
        { model: 'gpt', stream, input: [user('héllo')], tools: [{ type: 'function', name: 'look', parameters }] },
      ],
      [
        '/v1/messages',
        {
          model: 'claude',
          stream,
          max_tokens: 100,
          messages: [user('héllo')],
          tools: [{ name: 'look', input_schema: parameters }],
        },
      ],
    ] as const,
)

const keepingIn = (folder: string, mode: KeepMode, more: Partial<TestProxyOptions> = {}): TestProxyOptions => ({
  settings: settingsFor('sim/worker'),
  ...more,
  run: { keeping: { folder, mode, scope: { seed: 1 } } },
})

describe('a recording', () => {
  test('replays answers byte for byte, streams included, without key and provider', async () => {
    const server = await startProvider(served)
    const folder = folderWith()
    const recording = await openTestProxy(keepingIn(folder, 'record', { env: environmentAt(server.address) }))
    const first = []
    for (const [path, body] of asked) first.push(await post(recording, path, body))
    expect(first.map(({ status }) => status)).toEqual(asked.map(() => 200))

    const replaying = await openTestProxy(keepingIn(folder, 'replay'))
    for (const [index, [path, body]] of asked.entries()) {
      const again = await post(replaying, path, body)
      expect(again.text).toBe(first[index]?.text)
      expect(again.status).toBe(200)
      expect(again.headers.get('content-type')).toBe(first[index]?.headers.get('content-type'))
    }
    const { usd } = server.bill()
    expect(server.bill().charges).toBe(asked.length)
    expect(replaying.permits.asked).toEqual([])
    expect(replaying.proxy.totals()).toMatchObject({ calls: 0, cached_calls: asked.length, cost_usd: 0 })
    expect(replaying.proxy.totals().saved_usd).toBeCloseTo(usd ?? Number.NaN, 12)
  })

  test('is found despite random values of the agent', async () => {
    const server = await startProvider(served)
    const folder = folderWith()
    const said = (id: string, time: string): object => ({
      model: 'gpt',
      input: [
        { type: 'message', id: `msg_${id}`, role: 'user', content: `It is 2026-11-${time}T10:11:12Z, hello` },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: `Chunk ID: ab${time}\nWall time: 0.${time} seconds\nfine`,
        },
      ],
      prompt_cache_key: id,
      client_metadata: { session_id: id },
      metadata: { user_id: id },
    })
    const recording = await openTestProxy(keepingIn(folder, 'record', { env: environmentAt(server.address) }))
    const replaying = await openTestProxy(keepingIn(folder, 'replay'))
    const first = await post(recording, '/v1/responses', said('01a1ea1e-abe9-79d2-941f-3628ca45333e', '17'))
    expect(first.status).toBe(200)
    const again = await post(replaying, '/v1/responses', said('e3d9d8d1-c4fe-5c5b-8219-fe2919075620', '18'))
    expect(again.text).toBe(first.text)
  })

  test('without a request is an error, and sends nothing', async () => {
    const server = await startProvider(served)
    const opened = await openTestProxy(keepingIn(folderWith(), 'replay', { env: environmentAt(server.address) }))
    const { status, text, headers } = await post(opened, '/v1/chat/completions', asked[0]?.[1] ?? {})
    expect({ status, ...JSON.parse(text).error }).toMatchObject({ status: 400, code: 'missing_recording' })
    expect(headers.get('x-should-retry')).toBe('false')
    expect(opened.proxy.problem?.fault).toBe('missing_recording')
    expect(server.bill()).toMatchObject({ charges: 0, refused: 0 })
  })

  test('has two answers to a repeated question, and no external failures', async () => {
    const answers = ['429', 'one', 'two']
    const server = await startServer((response, nth) => {
      const content = answers[nth - 1] ?? ''
      const isFine = content !== '429'
      response.writeHead(isFine ? 200 : 429, { 'content-type': 'application/json' })
      response.end(isFine ? chatCompletion(content) : '{"error":{"message":"slow down"}}')
    })
    const folder = folderWith()
    const settings = settingsFor('m')
    const recording = await openTestProxy(keepingIn(folder, 'record', { env: environmentAt(server.address), settings }))
    const replaying = await openTestProxy(keepingIn(folder, 'replay', { settings }))
    const ask = async (opened: typeof recording): Promise<string> =>
      (await post(opened, '/v1/chat/completions', { model: 'gpt', messages: [user('hello')] })).text
    const [refused, ...told] = [await ask(recording), await ask(recording), await ask(recording)]
    expect(refused).toContain('slow down')
    expect([await ask(replaying), await ask(replaying)]).toEqual(told)
    expect(told[0]).toContain('one')
  })

  test('contains no key, although the provider quotes it', async () => {
    const server = await startServer(response =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion(`it is ${realKey}`)),
    )
    const folder = folderWith()
    const env = environmentAt(server.address)
    const opened = await openTestProxy(keepingIn(folder, 'record', { env, settings: settingsFor('m') }))
    await post(opened, '/v1/chat/completions', { model: 'gpt', messages: [user('hello')] })
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile())
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(realKey)
  })
})

test('a cache answers the same question of the same run for free', async () => {
  const server = await startProvider(served)
  const folder = folderWith()
  const ask = async (): Promise<string> => {
    const opened = await openTestProxy(keepingIn(folder, 'cache', { env: environmentAt(server.address) }))
    return (await post(opened, '/v1/messages', asked[2]?.[1] ?? {})).text
  }
  expect(await ask()).toBe(await ask())
  expect(server.bill().charges).toBe(1)
})
