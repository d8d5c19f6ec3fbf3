import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Message } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { otlpOf, readTrace, type TraceText } from '../../../src/models/trace/read-trace.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import type { AttributeValue, Span } from '../../../src/models/trace/span.ts'
import { version } from '../../../src/util/version.ts'
import { folderWith } from '../../support/assay.ts'
import { aimockEnvironment, CountedPermits, call, calm, errorOf, startAimock } from '../support.ts'

/** Spans as OTLP has them, with everything they refer to. */
const wholeSpans = (text: string): Span[] =>
  [...readTrace(text)].flatMap(line => ('reason' in line ? [] : [JSON.parse(JSON.stringify(line.whole()))]))

/** Without the span of the run. */
const spansIn = (file: string): Span[] =>
  wholeSpans(readFileSync(file, 'utf8')).filter(({ parentSpanId }) => parentSpanId !== undefined)

const plain = (value: AttributeValue): unknown => {
  if ('arrayValue' in value) return value.arrayValue.values.map(plain)
  if ('intValue' in value) return Number(value.intValue)
  return Object.values(value)[0]
}

const attributes = (span: Pick<Span, 'attributes'> | undefined): Record<string, unknown> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, plain(value)]))

function tracing(content = true) {
  const file = join(folderWith(), 'trace.jsonl')
  return { file, trace: new RunTrace({ path: () => file, id: 'run 1', content, redact: text => text }) }
}

test('a call is a span with OpenTelemetry’s attributes', async () => {
  const mock = await startAimock()
  mock.onMessage('hello', { content: 'Hi there!', usage: { prompt_tokens: 11, completion_tokens: 3 } })
  const { file, trace } = tracing()
  const client = openModels({ env: aimockEnvironment(mock) }).client({ permits: new CountedPermits(), seed: 1, trace })
  const messages: Message[] = [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'hello' },
  ]
  await client.call(call('openai/gpt-4o-mini', { messages, temperature: 0.5, seed: 3, purpose: 'judge' }), calm())
  await trace.close()
  const [span, ...others] = spansIn(file)
  expect(others).toEqual([])
  expect(span).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    name: 'chat gpt-4o-mini',
    kind: 3,
    status: { code: 0 },
  })
  expect(Number(span?.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(span?.startTimeUnixNano))
  const about = attributes(span)
  expect(about).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.request.temperature': 0.5,
    'gen_ai.request.seed': 3,
    'gen_ai.request.max_tokens': 100,
    'gen_ai.response.model': 'gpt-4o-mini',
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': 11,
    'gen_ai.usage.output_tokens': 3,
    'server.address': '127.0.0.1',
    'assay.model': 'openai/gpt-4o-mini',
    'assay.purpose': 'judge',
    'assay.tries': 1,
    'assay.cost_from': 'prices',
  })
  expect(JSON.parse(String(about['gen_ai.input.messages']))).toEqual([
    { role: 'system', parts: [{ type: 'text', content: 'Be short.' }] },
    { role: 'user', parts: [{ type: 'text', content: 'hello' }] },
  ])
  expect(JSON.parse(String(about['gen_ai.output.messages']))).toEqual([
    { role: 'assistant', parts: [{ type: 'text', content: 'Hi there!' }], finish_reason: 'stop' },
  ])
})

test('all tries of a call are one span; each that failed is an event with the kind of fault', async () => {
  const { file, trace } = tracing()
  const settings: ModelSettings = { 'sim/bad': { rules: [{ fail: 'server_error' }] } }
  const models = openModels({ env: {}, settings, retry: { tries: 3, backoff_ms: 1 } })
  const client = models.client({ permits: new CountedPermits(), seed: 1, trace })
  await errorOf(client.call(call('sim/bad'), calm()))
  await trace.close()
  const [span, ...others] = spansIn(file)
  expect(others).toEqual([])
  expect(span).toMatchObject({ status: { code: 2, message: expect.stringContaining('the server failed') } })
  expect(attributes(span)).toMatchObject({
    'error.type': 'server_error',
    'http.response.status_code': 500,
    'assay.tries': 3,
    'assay.cost_usd': 0,
    'gen_ai.response.finish_reasons': ['error'],
  })
  expect(
    span?.events?.map(event => [event.name, attributes(event)['assay.try'], attributes(event)['error.type']]),
  ).toEqual([1, 2, 3].map(nth => ['assay.try_failed', nth, 'server_error']))
  const [first, last] = [span?.events?.[0], span?.events?.at(-1)]
  expect(Number(span?.startTimeUnixNano)).toBeLessThanOrEqual(Number(first?.timeUnixNano))
  expect(span?.endTimeUnixNano).toBe(last?.timeUnixNano)
})

test('omits prompt and answer without content', async () => {
  const { file, trace } = tracing(false)
  const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace })
  await client.call(call('sim/echo', { messages: [{ role: 'user', content: 'a private matter' }] }), calm())
  await trace.close()
  expect(readFileSync(file, 'utf8')).not.toContain('private')
  expect(attributes(spansIn(file)[0])).toMatchObject({ 'gen_ai.usage.output_tokens': 4 })
})

test('a span keeps the conversation as it was, whatever is added later', async () => {
  const { file, trace } = tracing()
  const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace })
  const messages: Message[] = [{ role: 'user', content: 'first' }]
  await client.call(call('sim/echo', { messages }), calm())
  messages.push({ role: 'assistant', content: 'later' })
  await trace.close()
  expect(readFileSync(file, 'utf8')).not.toContain('later')
})

test('cached answers are traced as cached', async () => {
  const { file, trace } = tracing()
  const keeping = { folder: folderWith(), mode: 'cache' as const, scope: {} }
  for (let n = 0; n < 2; n++) {
    const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace, keeping })
    await client.call(call('sim/small'), calm())
  }
  await trace.close()
  expect(spansIn(file).map(span => attributes(span)['assay.is_cached'])).toEqual([false, true])
})

test('a run without calls leaves no file; one with many leaves them all, in order', async () => {
  const idle = tracing()
  await idle.trace.close()
  expect(existsSync(idle.file)).toBe(false)
  const busy = tracing()
  const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace: busy.trace })
  for (let n = 0; n < 300; n++) await client.call(call('sim/echo', { seed: n }), calm())
  await busy.trace.close()
  expect(spansIn(busy.file).map(span => attributes(span)['gen_ai.request.seed'])).toEqual(
    Array.from({ length: 300 }, (_, n) => n),
  )
})

const document = (...traces: TraceText[]) => JSON.parse([...otlpOf(traces, 'demo')].join(''))

test('traces become one OTLP document; a truncated line is left out', () => {
  const line = JSON.stringify({ traceId: 'a', spanId: 'b', name: 'chat x' })
  const text = `${line}\n${line}\n{"traceId": "cut`
  const about = (run: string) => [
    { key: 'service.name', value: { stringValue: 'assay' } },
    { key: 'service.version', value: { stringValue: version } },
    { key: 'assay.experiment', value: { stringValue: 'demo' } },
    { key: 'assay.run', value: { stringValue: run } },
  ]
  expect(
    document({ run: 'r1', file: 'runs/r1/trace.jsonl', text }, { run: 'r2', file: 'runs/r2/trace.jsonl', text: '' }),
  ).toEqual({
    resourceSpans: [
      {
        resource: { attributes: about('r1') },
        scopeSpans: [{ scope: { name: 'assay', version }, spans: [JSON.parse(line), JSON.parse(line)] }],
      },
      { resource: { attributes: about('r2') }, scopeSpans: [{ scope: { name: 'assay', version }, spans: [] }] },
    ],
  })
  expect(() => document({ run: 'r1', file: 'trace.jsonl', text: `nonsense\n${line}\n` })).toThrow(
    'trace.jsonl:1: is no span',
  )
})
