import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readRequest } from '../../../../src/models/trace/in/read-request.ts'
import { TakeIn } from '../../../../src/models/trace/in/take-in.ts'
import { otlpOf } from '../../../../src/models/trace/read-trace.ts'
import { RunTrace } from '../../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../../support/assay.ts'
import { spansOf } from '../../../support/otlp-receiver.ts'
import { problemsOfOtlp } from '../../../support/valid-otlp.ts'

/** Data sent by OpenTelemetry's own client for Node: an outer span with an event, and a failed one below it. */
const recorded: { readonly protobuf: string; readonly json: string } = JSON.parse(
  readFileSync(new URL('../../../fixtures/otlp/official-client.json', import.meta.url), 'utf8'),
)
const bytes = (base64: string): Buffer => Buffer.from(base64, 'base64')

async function receiving({ content = true } = {}) {
  const file = join(folderWith(), 'trace.jsonl')
  const notices: string[] = []
  const facts = { 'assay.run': 'r', 'assay.experiment': 'e' }
  const redact = (text: string) => text.replaceAll('key-123456', '[key]')
  const onNotice = (notice: string) => notices.push(notice)
  const trace = new RunTrace({ path: () => file, id: 'run', content, redact, name: 'run e', facts, onNotice })
  const intake = await trace.receive()
  onTestFinished(() => intake.close())
  const post = (body: Buffer | string, headers: Record<string, string> = {}, path = '/v1/traces') =>
    fetch(`${intake.endpoint}${path}`, { method: 'POST', headers: { 'content-type': json, ...headers }, body })
  return {
    trace,
    intake,
    notices,
    post,
    async document() {
      await intake.close()
      await trace.close()
      return JSON.parse([...otlpOf([{ run: 'r', file, text: readFileSync(file, 'utf8') }], 'e')].join(''))
    },
    text: () => readFileSync(file, 'utf8'),
  }
}

const json = 'application/json'
const protobuf = 'application/x-protobuf'

const span = (more: object = {}) => ({
  traceId: 'A'.repeat(32),
  spanId: 'b'.repeat(16),
  name: 'work',
  kind: 1,
  startTimeUnixNano: '1794919442143000000',
  endTimeUnixNano: 1794919442144000000,
  attributes: [],
  ...more,
})
const request = (...spans: object[]): string =>
  JSON.stringify({ resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: 's' }, spans }] }] })

for (const [form, body, headers] of [
  ['JSON', bytes(recorded.json), { 'content-type': json }],
  ['Protobuf', bytes(recorded.protobuf), { 'content-type': protobuf }],
  [
    'Protobuf, compressed',
    gzipSync(bytes(recorded.protobuf)),
    { 'content-type': protobuf, 'content-encoding': 'gzip' },
  ],
] as const)
  test(`accepts spans of OpenTelemetry's own client as ${form} below the span of the run`, async () => {
    const { trace, post, document, notices } = await receiving()
    const answer = await post(body, headers)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, headers['content-type']])
    expect(await answer.text()).toBe(form === 'JSON' ? '{}' : '')
    const whole = await document()
    expect(problemsOfOtlp(whole)).toEqual([])
    const spans = spansOf(whole)
    expect(spans.map(({ name }) => name)).toEqual(['step', 'work', 'run e'])
    const [step, work, run] = spans
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([trace.traceId]))
    expect([step?.parentSpanId, work?.parentSpanId]).toEqual([work?.spanId, run?.spanId])
    expect(work?.facts).toMatchObject({
      ...{ n: 42, negative: -7, share: 0.25, whole: 2, ok: true, text: 'grüße', list: ['a', 'b'], numbers: [1, 2] },
      'assay.original.trace_id': expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(work).toMatchObject({
      kind: 2,
      startTimeUnixNano: expect.stringMatching(/^17949\d{14}$/),
      events: [{ name: 'said', facts: { 'gen_ai.prompt': 'a secret matter' } }],
      resource: { 'service.name': 'my-agent', 'assay.run': 'r', 'assay.experiment': 'e' },
    })
    expect(step?.status).toEqual({ code: 2, message: 'broken' })
    expect(whole.resourceSpans.map((one: { scopeSpans: { scope: object }[] }) => one.scopeSpans[0]?.scope)).toEqual([
      expect.objectContaining({ name: 'assay' }),
      { name: 'my-lib', version: '1.2.3' },
      expect.objectContaining({ name: 'assay' }),
    ])
    expect(notices).toEqual([])
  })

test('spans of a program that read TRACEPARENT keep their ids; one that claims to be the run gets another', async () => {
  const { trace, post, document } = await receiving()
  const { traceId } = trace
  await post(request(span({ traceId, spanId: 'c'.repeat(16), parentSpanId: trace.root.id, name: 'mine' })))
  await post(request(span({ traceId, spanId: trace.root.id, name: 'impostor' })))
  const spans = spansOf(await document())
  expect(spans.map(({ name }) => name)).toEqual(['mine', 'impostor', 'run e'])
  expect(spans[0]).toMatchObject({ spanId: 'c'.repeat(16), parentSpanId: trace.root.id })
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3)
})

test('removes keys, writes duplicates once, and keeps resources', async () => {
  const { post, document, text } = await receiving()
  const attributes = [{ key: 'said', value: { stringValue: 'my key-123456' } }]
  for (let n = 0; n < 3; n++) await post(request(span({ attributes }), span({ attributes, spanId: 'd'.repeat(16) })))
  expect(spansOf(await document()).map(({ facts }) => facts.said)).toEqual(['my [key]', 'my [key]', undefined])
  expect(text()).not.toContain('key-123456')
  expect(text().split('"resource"')).toHaveLength(2)
})

test('keeps only facts without content', async () => {
  const { post, document, text } = await receiving({ content: false })
  await post(bytes(recorded.protobuf), { 'content-type': protobuf })
  const whole = await document()
  expect(text()).not.toMatch(/secret|grüße|broken/)
  const [step, work] = spansOf(whole)
  expect(work?.facts).toMatchObject({ n: 42, ok: true, 'gen_ai.request.model': 'm' })
  expect(step?.status).toEqual({ code: 2 })
})

test('names and leaves out an invalid span, and keeps the others', async () => {
  const { post, document, notices } = await receiving()
  const answer = await post(
    request(
      span(),
      span({ spanId: '0'.repeat(16), name: 'no id' }),
      span({ startTimeUnixNano: 'x' }),
      span({ name: '' }),
    ),
  )
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({
    partialSuccess: { rejectedSpans: '3', errorMessage: 'span "no id" has no valid spanId' },
  })
  expect(spansOf(await document())).toHaveLength(2)
  expect(notices).toEqual([expect.stringContaining('span "no id" has no valid spanId')])
})

test('refuses other data by name', async () => {
  const { post, intake, notices } = await receiving()
  const said = async (...args: Parameters<typeof post>) => {
    const answer = await post(...args)
    return `${answer.status} ${await answer.text()}`
  }
  expect(await said('{}', { 'content-type': 'application/grpc' })).toMatch(/^415 .*HTTP, not over gRPC.*http\/protobuf/)
  expect(await said('{}', { 'content-type': 'text/plain' })).toMatch(/^415 .*text\/plain/)
  expect(await said('{}', { 'content-encoding': 'br' })).toMatch(/^415 .*br.* is not gzip/)
  expect(await said('nonsense')).toMatch(/^400 .*can't be read/)
  expect(await said(bytes(recorded.protobuf).subarray(0, 99), { 'content-type': protobuf })).toMatch(/^400 .*ends in/s)
  expect(await said(gzipSync(Buffer.alloc(30e6)), { 'content-encoding': 'gzip' })).toMatch(/^413 .*20 MiB/)
  expect(await said('{}', {}, '/v1/metrics')).toMatch(/^404 .*accepts traces, not metrics/)
  expect((await fetch(intake.endpoint.replace(/\w+$/, 'abc123/v1/traces'))).status).toBe(404)
  expect(await said('{}')).toBe('200 {}')
  await intake.close()
  expect(await said('{}')).toMatch(/^404 .*the run that this address was for is over/)
  expect(notices.length).toBe(6)
})

test('recognises and names a program that speaks gRPC', async () => {
  const { intake, notices } = await receiving()
  const session = connect(new URL(intake.endpoint).origin)
  onTestFinished(() => session.destroy())
  await new Promise<void>(resolve => session.on('close', resolve).on('error', () => {}))
  expect(notices).toEqual([expect.stringContaining('OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf')])
})

test('limits the data of a program that sends endlessly', () => {
  const notices: string[] = []
  let characters = 0
  const intake = new TakeIn({
    traceId: '1'.repeat(32),
    parent: '2'.repeat(16),
    content: true,
    take: taken => {
      characters += JSON.stringify(taken).length
    },
    onNotice: notice => notices.push(notice),
  })
  const attributes = [{ key: 'said', value: { stringValue: 'x'.repeat(60_000) } }]
  const many = Array.from({ length: 300 }, (_, n) =>
    span({ attributes, spanId: (0x1000 + n).toString(16).padStart(16, 'e') }),
  )
  const { rejected, message } = intake.take(readRequest(JSON.parse(request(...many))))
  expect([rejected > 10, message]).toEqual([true, expect.stringContaining('at most 10000 spans')])
  expect(characters).toBeLessThan(16e6)
  expect(notices).toHaveLength(1)
})
