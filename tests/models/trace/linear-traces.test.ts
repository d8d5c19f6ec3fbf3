import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Message, ModelAnswer, ModelCall } from '../../../src/models/model-call.ts'
import type { TracedCall } from '../../../src/models/trace/call-span.ts'
import { readTrace, type TracedSpan } from '../../../src/models/trace/read-trace.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { call } from '../support.ts'

const answerOf = (text: string): ModelAnswer => ({
  text,
  tool_calls: [],
  reasoning: [],
  finish: 'stop',
  usage: { input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
  cost_usd: 0,
  cost_from: 'simulated',
  saved_usd: null,
  latency_ms: 1,
  model_id: 'm',
  provider: 'sim',
  tries: 1,
  is_cached: false,
})

const traced = (asked: ModelCall, text: string): TracedCall => ({
  call: asked,
  route: null,
  answer: answerOf(text),
  error: null,
  tries: [],
  started_at: 1,
  ended_at: 2,
})

const tools = [{ name: 'bash', description: 'x'.repeat(300), parameters: { type: 'object' } }]
const definitions = tools.map(tool => ({ type: 'function', ...tool }))

/** A kilobyte of text in each turn: half is asked, half is answered. */
function* conversation(turns: number): Generator<TracedCall> {
  const messages: Message[] = [{ role: 'system', content: 'Be an agent.' }]
  for (let turn = 1; turn <= turns; turn++) {
    messages.push({ role: 'user', content: `question ${turn} ${'q'.repeat(500)}` })
    const text = `answer ${turn} ${'a'.repeat(500)}`
    yield traced(call('m', { messages: [...messages], tools }), text)
    messages.push({ role: 'assistant', content: text })
  }
}

async function fileWith(calls: Iterable<TracedCall>): Promise<string> {
  const file = join(folderWith(), 'trace.jsonl')
  const trace = new RunTrace({ path: () => file, id: 'run', content: true, redact: text => text })
  for (const one of calls) trace.call(one)
  await trace.close()
  return file
}

/** Without the span of the run. */
const callsIn = (text: string): readonly TracedSpan[] =>
  [...readTrace(text)].flatMap(line => ('reason' in line || String(line.stored.name) === 'run' ? [] : [line]))

interface Seen {
  readonly messages: number
  readonly last: string
  readonly answer: string
  readonly problems: readonly string[]
}

/** Each call as seen by a reader. */
function seenIn(text: string): readonly Seen[] {
  return callsIn(text).flatMap(line => {
    const messages = line.list('gen_ai.input.messages')
    const answer = line.list('gen_ai.output.messages')
    return [
      {
        messages: messages.length,
        last: JSON.stringify(messages.at(-1)),
        answer: JSON.stringify(answer),
        problems: line.problems,
      },
    ]
  })
}

test('a trace of twice as many turns takes at most 2.3 times the bytes', async () => {
  const sizes: number[] = []
  for (const turns of [100, 200, 400]) sizes.push(statSync(await fileWith(conversation(turns))).size)
  const [hundred = 0, two = 0, four = 0] = sizes
  expect(two / hundred).toBeLessThan(2.3)
  expect(four / two).toBeLessThan(2.3)
  // A kilobyte of text, and the facts about the call.
  expect(four / 400).toBeLessThan(3000)
})

test('nothing is written twice, and readers see every prompt as it was sent', async () => {
  const calls = [...conversation(30)]
  const text = readFileSync(await fileWith(conversation(30)), 'utf8')
  for (const what of ['Be an agent.', 'question 7 ', 'answer 7 ', 'x'.repeat(300)])
    expect(text.split(what)).toHaveLength(2)
  const spans = callsIn(text)
  expect(spans).toHaveLength(30)
  for (const [index, span] of spans.entries()) {
    const { messages } = calls[index]?.call ?? { messages: [] }
    const sent = messages.map(({ role, content }) => ({ role, parts: [{ type: 'text', content }] }))
    expect(span.list('gen_ai.input.messages')).toEqual(sent)
    expect(span.list('gen_ai.tool.definitions')).toEqual(definitions)
    const { attributes } = JSON.parse(JSON.stringify(span.whole()))
    expect(attributes.slice(-3)).toEqual([
      { key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify(sent) } },
      { key: 'gen_ai.tool.definitions', value: { stringValue: JSON.stringify(definitions) } },
      {
        key: 'gen_ai.output.messages',
        value: {
          stringValue: JSON.stringify([
            {
              role: 'assistant',
              parts: [{ type: 'text', content: `answer ${index + 1} ${'a'.repeat(500)}` }],
              finish_reason: 'stop',
            },
          ]),
        },
      },
    ])
    expect(span.whole()).not.toHaveProperty('lists')
  }
})

test('distinguishes conversations that branch, lose their beginning or are repeated', async () => {
  const say = (...texts: string[]) =>
    call('m', { messages: texts.map(content => ({ role: 'user' as const, content })) })
  const asked = [say('a', 'b', 'c'), say('a', 'b', 'd'), say('b', 'c'), say('a'), say('a', 'b', 'c'), say()]
  const text = readFileSync(await fileWith(asked.map(one => traced(one, 'yes'))), 'utf8')
  const read = callsIn(text).map(line => line.list('gen_ai.input.messages'))
  expect(read.map(list => list.map(item => JSON.stringify(item).match(/"content":"(.)"/)?.[1]).join(''))).toEqual([
    'abc',
    'abd',
    'bc',
    'a',
    'abc',
    '',
  ])
})

test('a trace cut at any byte is readable up to there, with all its references', async () => {
  const text = readFileSync(await fileWith(conversation(4)), 'utf8')
  const whole = seenIn(text)
  for (let length = 0; length < text.length; length++) {
    const seen = seenIn(text.slice(0, length))
    expect(seen.flatMap(({ problems }) => problems)).toEqual([])
    expect(seen).toEqual(whole.slice(0, seen.length))
  }
})

test('names a missing reference of a span, and reads the rest', async () => {
  const text = readFileSync(await fileWith(conversation(3)), 'utf8')
  const lines = text.trim().split('\n')
  const lost = JSON.parse(lines.find(line => line.includes('question 1 ')) ?? '{}').id
  const seen = seenIn(lines.filter(line => !line.includes('question 1 ')).join('\n'))
  expect(seen[0]?.problems).toEqual([`refers to message ${lost}, which is not in the trace`])
  expect(seen[0]?.last).toContain(`message ${lost}, which is not in the trace`)
  expect(seen.map(({ messages }) => messages)).toEqual([2, 4, 6])
  const firstSpan = lines.findIndex(line => line.startsWith('{"traceId"'))
  const without = seenIn(lines.filter((_, index) => index !== firstSpan).join('\n'))
  expect(without[0]?.problems[0]).toMatch(
    /^refers to the first 2 messages of span [0-9a-f]{16}, which are not in the trace$/,
  )
})

test('reports invalid lists, and reads the rest', () => {
  const span = (lists: unknown) => JSON.stringify({ traceId: 'a', spanId: 'b', attributes: [], lists })
  const huge = JSON.stringify({
    id: 'big',
    content: { role: 'user', parts: [{ type: 'text', content: 'x'.repeat(1e6) }] },
  })
  const seen = seenIn(
    [
      span(5),
      span({ 'gen_ai.input.messages': { like: 'b', first: -1, more: [] } }),
      span({ 'gen_ai.input.messages': { like: 'b', first: 2, more: [] } }),
      span({ 'gen_ai.input.messages': { more: [7] } }),
    ].join('\n'),
  )
  expect(seen.map(({ problems }) => problems.length)).toEqual([1, 1, 1, 1])
  const [line] = [...readTrace(`${huge}\n${span({ 'gen_ai.input.messages': { more: Array(5000).fill('big') } })}`)]
  const written = line !== undefined && 'whole' in line ? JSON.stringify(line.whole()) : ''
  expect(written.length).toBeLessThan(110e6)
  expect(written).toMatch(/4\d{3} more messages, which are too long to be written out/)
})

test.each([
  ['a folder', (file: string) => mkdirSync(file)],
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file])],
  ['a link', (file: string) => symlinkSync('elsewhere', file)],
])('after a failed write on %s, later lines refer to nothing of it', async (_, obstruct) => {
  const folder = folderWith()
  const file = join(folder, 'trace.jsonl')
  const notices: string[] = []
  obstruct(file)
  const trace = new RunTrace({
    path: () => file,
    id: 'run',
    content: true,
    redact: text => text,
    onNotice: notice => notices.push(notice),
  })
  const [first, second] = [...conversation(2)]
  if (first === undefined || second === undefined) throw new Error('a conversation of two turns has two calls')
  trace.call(first)
  await trace.close()
  expect(notices).toEqual([expect.stringContaining('could not be written')])
  rmSync(file, { recursive: true })
  expect(readdirSync(folder)).toEqual([])
  trace.call(second)
  await trace.close()
  expect(existsSync(file)).toBe(true)
  expect(seenIn(readFileSync(file, 'utf8'))).toMatchObject([
    { problems: [], last: expect.stringContaining('question 2') },
  ])
})

test('a trace of an earlier version, with every prompt in its span, is read as before', () => {
  const messages = [{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }]
  const span = {
    traceId: 'a',
    spanId: 'b',
    name: 'chat m',
    attributes: [{ key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify(messages) } }],
  }
  const [line] = [...readTrace(`${JSON.stringify(span)}\n`)]
  if (line === undefined || 'reason' in line) throw new Error('it is a span')
  expect(line.whole()).toEqual(span)
  expect(line.list('gen_ai.input.messages')).toEqual(messages)
})
