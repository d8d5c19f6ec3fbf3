import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { callKey } from '../../../src/models/cache/call-key.ts'
import { fileStore } from '../../../src/models/cache/call-store.ts'
import type { KeepMode } from '../../../src/models/cache/kept-calls.ts'
import { openModels } from '../../../src/models/open-models.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, chatCompletion, errorOf, startServer } from '../support.ts'

/** A server that never says the same twice. */
const counting = () =>
  startServer((response, nth) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(chatCompletion(`answer ${nth}`)),
  )

function clientFor(
  folder: string,
  mode: KeepMode,
  {
    scope = { seed: 1, replicate: 1 },
    settings = {},
    env = {},
  }: { scope?: JsonObject; settings?: ModelSettings; env?: Record<string, string> },
) {
  const permits = new CountedPermits()
  const keeping = { folder, mode, scope }
  return {
    permits,
    client: openModels({ env, settings, retry: { tries: 1 } }).client({ permits, seed: 1, keeping }),
  }
}

const at = (address: string): ModelSettings => ({
  m: { provider: 'openai-compatible', address, price: [{ above: 0, input: 1, output: 1 }] },
})

test('a cached answer is identical, costs nothing, and reports its saving', async () => {
  const server = await counting()
  const folder = folderWith()
  const first = clientFor(folder, 'cache', { settings: at(server.address) })
  const made = await first.client.call(call('m'), calm())
  const second = clientFor(folder, 'cache', { settings: at(server.address) })
  const kept = await second.client.call(call('m'), calm())
  expect(kept).toEqual({ ...made, cost_usd: 0, cost_from: 'cache', saved_usd: 12e-6, is_cached: true })
  expect(second.permits.asked).toHaveLength(0)
  expect(second.client.totals()).toMatchObject({
    calls: 0,
    cached_calls: 1,
    cost_usd: 0,
    saved_usd: 12e-6,
    input_tokens: 10,
  })
  expect(server.requests).toHaveLength(1)
})

test('replicates and blocks are independent, and so is each repetition within a run', async () => {
  const server = await counting()
  const folder = folderWith()
  const settings = at(server.address)
  const scopes = [
    { seed: 1, replicate: 1 },
    { seed: 1, replicate: 2 },
    { seed: 2, replicate: 1 },
  ]
  const texts: string[] = []
  for (const scope of scopes) {
    const { client } = clientFor(folder, 'cache', { scope, settings })
    for (let n = 0; n < 2; n++) texts.push((await client.call(call('m'), calm())).text)
  }
  expect(texts).toEqual([1, 2, 3, 4, 5, 6].map(n => `answer ${n}`))
  const again = clientFor(folder, 'cache', { scope: { seed: 1, replicate: 2 }, settings })
  expect((await again.client.call(call('m'), calm())).text).toBe('answer 3')
  expect((await again.client.call(call('m'), calm())).text).toBe('answer 4')
  expect(server.requests).toHaveLength(6)
})

test('everything that can change an answer is part of its key; purposes and prices are not', () => {
  const key = (more: Parameters<typeof call>[1] = {}, settings: ModelSettings = {}): string =>
    callKey({ call: call('m', more), settings, scope: { replicate: 1 }, is_rehearsal: false })
  const keys = [
    key(),
    key({ seed: 1 }),
    key({ seed: 2 }),
    key({ temperature: 0 }),
    key({ max_output_tokens: 5 }),
    key({ messages: [{ role: 'system', content: 'hello' }] }),
    key({ schema: { type: 'object' } }),
    key({ tools: [{ name: 'x', description: '', parameters: {} }] }),
    key({ stop: ['.'] }),
    key({ reasoning: 'high' }),
    key({}, { m: { temperature: 1 } }),
    key({}, { m: { options: { x: 1 } } }),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(key({ purpose: 'judge' })).toBe(key())
  expect(key({}, { m: { price: 'free' } })).toBe(key({}, { m: {} }))
  expect(key({ seed: undefined })).toBe(key())
})

test('a recorded experiment replays without keys and network', async () => {
  const server = await counting()
  const folder = folderWith()
  const settings: ModelSettings = { m: { provider: 'openai', address: server.address, key: 'MY_KEY' } }
  const recording = clientFor(folder, 'record', { settings, env: { MY_KEY: 'a-key-of-mine' } })
  const made = await Promise.all(
    ['a', 'b', 'c'].map(seed => recording.client.call(call('m', { seed: seed.charCodeAt(0) }), calm())),
  )
  const replaying = clientFor(folder, 'replay', { settings: { m: { provider: 'openai' } } })
  const replayed = await Promise.all(
    ['a', 'b', 'c'].map(seed => replaying.client.call(call('m', { seed: seed.charCodeAt(0) }), calm())),
  )
  expect(replayed.map(({ text, usage, model_id, latency_ms }) => ({ text, usage, model_id, latency_ms }))).toEqual(
    made.map(({ text, usage, model_id, latency_ms }) => ({ text, usage, model_id, latency_ms })),
  )
  expect(server.requests).toHaveLength(3)
})

test('recording repeats calls despite existing answers', async () => {
  const server = await counting()
  const folder = folderWith()
  const settings = at(server.address)
  await clientFor(folder, 'record', { settings }).client.call(call('m'), calm())
  await clientFor(folder, 'record', { settings }).client.call(call('m'), calm())
  expect((await clientFor(folder, 'replay', { settings }).client.call(call('m'), calm())).text).toBe('answer 2')
})

test('a call missing in the recording is a named error, and is not sent', async () => {
  const server = await counting()
  const { client, permits } = clientFor(folderWith(), 'replay', { settings: at(server.address) })
  const error = await errorOf(client.call(call('m'), calm()))
  expect(error.fault).toBe('missing_recording')
  expect(error.hint).toContain('record it again')
  expect([server.requests.length, permits.asked.length]).toEqual([0, 0])
})

test('a refusal is recorded and replayed; a broken connection is not', async () => {
  const folder = folderWith()
  const refusing = await startServer(response =>
    response.writeHead(400).end('{"error":{"message":"blocked by content filter"}}'),
  )
  const settings = at(refusing.address)
  await errorOf(clientFor(folder, 'record', { settings }).client.call(call('m'), calm()))
  const replayed = await errorOf(clientFor(folder, 'replay', { settings }).client.call(call('m'), calm()))
  expect(replayed.fault).toBe('content_filtered')
  const failing = await startServer(response => response.writeHead(500).end('{}'))
  await errorOf(
    clientFor(folder, 'record', { settings: at(failing.address) }).client.call(call('m', { seed: 9 }), calm()),
  )
  const missing = await errorOf(clientFor(folder, 'replay', { settings }).client.call(call('m', { seed: 9 }), calm()))
  expect(missing.fault).toBe('missing_recording')
})

test('many simultaneous writes leave only complete files', async () => {
  const folder = folderWith()
  const store = fileStore(folder)
  const answer = { text: 'x'.repeat(10_000) }
  const kept = JSON.parse(JSON.stringify({ call: call('m'), answer, error: null }))
  const keys = Array.from({ length: 20 }, (_, index) => index.toString(16).padStart(64, 'a'))
  await Promise.all(keys.flatMap(key => [1, 2, 3, 4].map(() => store.write(key, kept))))
  const files = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.includes('.'))
  expect(files).toHaveLength(20)
  for (const key of keys) expect(await store.read(key)).toEqual(kept)
})

test('a damaged file is named', async () => {
  const folder = folderWith()
  const server = await counting()
  await clientFor(folder, 'record', { settings: at(server.address) }).client.call(call('m'), calm())
  const [file] = readdirSync(folder, { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.json'))
  const path = join(folder, file ?? '')
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, 40))
  const { client } = clientFor(folder, 'replay', { settings: at(server.address) })
  await expect(client.call(call('m'), calm())).rejects.toThrow(/\.json: is not a cached call/)
})

test('an answer that can’t be cached is still returned, with a notice', async () => {
  const server = await counting()
  const notices: string[] = []
  const folder = folderWith({ blocked: 'a file where a folder should be' })
  const keeping = { folder: join(folder, 'blocked'), mode: 'record' as const, scope: {} }
  const models = openModels({ env: {}, settings: at(server.address), onNotice: notice => notices.push(notice) })
  const answer = await models.client({ permits: new CountedPermits(), seed: 1, keeping }).call(call('m'), calm())
  expect(answer.text).toBe('answer 1')
  expect(notices).toEqual([expect.stringContaining('could not be kept')])
})
