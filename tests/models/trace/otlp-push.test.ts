import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openModels } from '../../../src/models/open-models.ts'
import { OtlpPush, type PushOptions } from '../../../src/models/trace/otlp-push.ts'
import { otlpAddress } from '../../../src/models/trace/read-trace.ts'
import { flushTraces, RunTrace } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { startOtlpReceiver } from '../../support/otlp-receiver.ts'
import { CountedPermits, call, calm } from '../support.ts'

const attributes = [{ key: 'assay.model', value: { stringValue: 'key-123456' } }]
const written = (name: string, lists = {}) => ({
  span: {
    traceId: 'a'.repeat(32),
    spanId: Buffer.from(name.padEnd(8, '_')).toString('hex').slice(0, 16),
    name,
    kind: 1,
    startTimeUnixNano: '1700000000000000000',
    endTimeUnixNano: '1700000000000000001',
    attributes,
    status: { code: 0 as const },
  },
  lists,
  origin: null,
})
const about = { 'assay.run': 'r', 'assay.experiment': 'e' }
const redact = (text: string) => text.replaceAll('key-123456', '[key]')

function pushing(address: string, options: PushOptions = {}) {
  const notices: string[] = []
  const push = new OtlpPush(otlpAddress(address, {}), { gatherMs: 5, backoffMs: 1, ...options })
  push.heardBy(notice => notices.push(notice))
  return { push, notices, add: (name: string, lists = {}) => push.add(written(name, lists), about, redact) }
}

test('sends spans in batches during a run, as OTLP, without keys', async () => {
  const receiver = await startOtlpReceiver()
  const { push, notices, add } = pushing(receiver.address)
  add('one')
  add('two')
  await expect.poll(() => receiver.spans().length).toBe(2)
  expect(receiver.requests).toMatchObject([{ path: '/v1/traces', headers: { 'content-type': 'application/json' } }])
  add('three', { 'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hi' }] }] })
  await push.flush()
  expect(receiver.spans().map(({ name }) => name)).toEqual(['one', 'two', 'three'])
  expect(receiver.spans()[2]?.facts['gen_ai.input.messages']).toBe(
    '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
  )
  expect(receiver.spans()[0]?.resource).toMatchObject({ 'service.name': 'assay', 'assay.run': 'r' })
  expect(receiver.problems()).toEqual([])
  expect(receiver.requests.map(({ body }) => body).join('')).not.toContain('key-123456')
  expect(notices).toEqual([])
})

test('retries retryable requests as the receiver asks', async () => {
  const statuses = [503, 429, 502]
  const receiver = await startOtlpReceiver((response, nth) => {
    const status = statuses[nth - 1]
    if (status === undefined) return false
    response.writeHead(status, { 'retry-after': '0' }).end()
    return true
  })
  const { push, notices, add } = pushing(receiver.address)
  add('one')
  await push.flush()
  expect([receiver.requests.length, receiver.spans().length, notices]).toEqual([4, 1, []])
})

test('does not retry refusals, and reports them once', async () => {
  const receiver = await startOtlpReceiver(response => {
    response.writeHead(400).end('{"message": "no such tenant"}')
    return true
  })
  const { push, notices, add } = pushing(receiver.address)
  for (const name of ['one', 'two', 'three']) {
    add(name)
    await push.flush()
  }
  expect(receiver.requests).toHaveLength(3)
  expect(notices).toEqual([
    expect.stringMatching(/^not all spans were sent to http:.*: it answered 400 \(.*no such tenant/),
  ])
})

test('reports spans that a receiver accepted only in part', async () => {
  const receiver = await startOtlpReceiver(response => {
    response.writeHead(200).end('{"partialSuccess": {"rejectedSpans": "2", "errorMessage": "too old"}}')
    return true
  })
  const { push, notices, add } = pushing(receiver.address)
  add('one')
  await push.flush()
  expect(notices).toEqual([expect.stringContaining('it rejected 2 spans (too old)')])
})

test('a receiver that never answers delays no run, with bounded memory', async () => {
  const receiver = await startOtlpReceiver(() => true)
  const { push, notices, add } = pushing(receiver.address, { mostWaiting: 5000 })
  for (let n = 0; n < 1000; n++) add(`span ${n}`)
  await expect.poll(() => receiver.requests.length).toBeGreaterThan(0)
  await push.flush(20)
  expect(receiver.requests.reduce((sum, { body }) => sum + body.length, 0)).toBeLessThan(6000)
  expect(notices).toEqual([expect.stringContaining('it took longer than 0.02 s')])
})

test('reports an unreachable receiver once, and explains port 4317', async () => {
  const { push, notices, add } = pushing('http://127.0.0.1:4317')
  for (const name of ['one', 'two']) {
    add(name)
    await push.flush()
  }
  expect(notices).toEqual([expect.stringMatching(/ECONNREFUSED.*port 4317 is usually OTLP over gRPC/)])
})

test('does not quote an invalid header', async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', OTEL_EXPORTER_OTLP_HEADERS: 'x=secret%0Atoken' }
  const notices: string[] = []
  const push = new OtlpPush(otlpAddress('env', env), { gatherMs: 5, backoffMs: 1 })
  push.heardBy(notice => notices.push(notice))
  push.add(written('one'), about, redact)
  await push.flush()
  expect(notices).toEqual([expect.stringContaining('not all spans were sent')])
  expect(notices.join()).not.toContain('secret')
})

test('a prompt that is too long is sent without its beginning, and says so', async () => {
  const receiver = await startOtlpReceiver()
  const { push, add } = pushing(receiver.address)
  const parts = [{ type: 'text', content: 'x'.repeat(300_000) }]
  add('long', { 'gen_ai.input.messages': Array.from({ length: 10 }, () => ({ role: 'user', parts })) })
  await push.flush()
  const [span] = receiver.spans()
  const messages = JSON.parse(String(span?.facts['gen_ai.input.messages']))
  expect([messages.length, messages[0].parts[0].content]).toEqual([
    4,
    '7 earlier messages, which are too long to be sent',
  ])
  expect(receiver.problems()).toEqual([])
})

test('sends the trace of a run as it is written, its own span last', async () => {
  const receiver = await startOtlpReceiver()
  const file = join(folderWith(), 'trace.jsonl')
  const notices: string[] = []
  const trace = new RunTrace({
    path: () => file,
    id: 'pushed',
    content: false,
    redact,
    facts: about,
    otlp: { to: receiver.address, env: {} },
    onNotice: notice => notices.push(notice),
  })
  const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace })
  await client.call(call('sim/echo', { messages: [{ role: 'user', content: 'a private matter' }] }), calm())
  await trace.close()
  await flushTraces()
  expect(receiver.problems()).toEqual([])
  expect(receiver.spans().map(({ name }) => name)).toEqual(['chat sim/echo', 'run'])
  expect(receiver.requests[0]?.body).not.toContain('private')
  expect([existsSync(file), notices]).toEqual([true, []])
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2)
})

test('sends headers of the environment only to the address of the environment', () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/base/',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-tenant=7',
  }
  expect(otlpAddress('env', env)).toEqual({
    url: 'https://collector.example/base/v1/traces',
    headers: { authorization: 'Bearer abc', 'x-tenant': '7' },
  })
  expect(otlpAddress('http://127.0.0.1:4318', env)).toEqual({ url: 'http://127.0.0.1:4318/v1/traces', headers: {} })
  expect(otlpAddress('env', { ...env, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/in' }).url).toBe(
    'https://t.example/in',
  )
  expect(() => otlpAddress('env', {})).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT is not set')
  expect(() => otlpAddress('env', { ...env, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(
    'assay sends OTLP over HTTP',
  )
  for (const wrong of ['grpc://host:4317', 'localhost:4318', 'http://user:pass@host', 'nonsense'])
    expect(() => otlpAddress(wrong, {}), wrong).toThrow()
})
