import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Message, ModelAnswer } from '../../../src/models/model-call.ts'
import type { TracedCall } from '../../../src/models/trace/call-span.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import { MergedHistory, trajectoryOfTrace } from '../../../src/models/trajectory/from-trace.ts'
import { readAtif } from '../../../src/models/trajectory/read-atif.ts'
import { renderPrompt } from '../../../src/models/trajectory/trajectory.ts'
import { writeAtif } from '../../../src/models/trajectory/trajectory-files.ts'
import { folderWith } from '../../support/assay.ts'

const usage = {
  input_tokens: 100,
  cached_input_tokens: 60,
  cache_write_tokens: 5,
  output_tokens: 20,
  reasoning_tokens: 8,
}
const tools = [{ name: 'bash', description: 'runs a command', parameters: { type: 'object' } }]

/** A call of the agent with its answer, as the proxy traces it. */
function traced(messages: readonly Message[], answer: Partial<ModelAnswer> | Error, at: number): TracedCall {
  const facts = { usage, cost_usd: 0.5, started_at: 1000 * at, ended_at: 1000 * at + 250 }
  const error = answer instanceof Error ? answer : null
  const given: ModelAnswer | null =
    answer instanceof Error
      ? null
      : {
          ...{ text: '', tool_calls: [], reasoning: [], finish: 'stop', usage, cost_usd: 0.5, cost_from: 'simulated' },
          ...{ saved_usd: null, latency_ms: 250, model_id: 'm', provider: 'sim', tries: 1, is_cached: false },
          ...answer,
        }
  const call = { model: 'm', messages, tools, purpose: 'agent' }
  return { call, route: null, answer: given, error, tries: [{ number: 1, ...facts, error }], ...facts }
}

async function traceWith(calls: readonly TracedCall[], content = true): Promise<string> {
  const file = join(folderWith(), 'trace.jsonl')
  const trace = new RunTrace({ path: () => file, id: 'run', content, redact: text => text })
  for (const one of calls) trace.call(one)
  trace.call({
    ...traced([{ role: 'user', content: 'judge it' }], { text: '1' }, 99),
    call: { model: 'j', messages: [], purpose: 'judge' },
  })
  await trace.close()
  return readFileSync(file, 'utf8')
}

const about = { id: 'run-1', exit_status: 'submitted', submission: 'diff', agent: { name: 'codex', model: 'm' } }

const start: readonly Message[] = [
  { role: 'system', content: 'You fix bugs.' },
  { role: 'user', content: 'Fix it.' },
]
const asked = (id: string): Message => ({
  role: 'assistant',
  content: 'I look.',
  tool_calls: [{ id, name: 'bash', arguments: { command: 'ls' } }],
})
const result = (id: string): Message => ({ role: 'tool', tool_call_id: id, name: 'bash', content: `files of ${id}` })

test('keeps every message once, with the prompt of each turn', async () => {
  const side: readonly Message[] = [{ role: 'user', content: 'A title for this?' }]
  const second = [...start, asked('a'), result('a')]
  // The agent makes its conversation shorter: its third prompt leaves out the first command.
  const third: readonly Message[] = [...start, { role: 'user', content: 'so far: nothing' }, asked('b'), result('b')]
  const answer = (id: string) => ({
    text: 'I look.',
    tool_calls: [{ id, name: 'bash', arguments: { command: 'ls' } }],
    finish: 'tool_calls' as const,
  })
  const text = await traceWith([
    traced(start, { ...answer('a'), reasoning: [{ text: 'hm' }] }, 1),
    traced(side, { text: 'Bugs' }, 2),
    traced(second, answer('b'), 3),
    traced(second, new Error('overloaded'), 4),
    traced(third, { text: 'Done.' }, 5),
  ])
  const read = trajectoryOfTrace(text, about)
  if (read === null) throw new Error('no trajectory')
  const { history, turns, totals } = read
  const prompts = turns.map(({ prompt }) => renderPrompt(prompt ?? [], history, []))
  // The thoughts of the first answer are in the history, although the agent did not send them back.
  const thinking = { ...asked('a'), reasoning: [{ text: 'hm' }] }
  expect(prompts).toEqual([start, side, [...start, thinking, result('a')], third])
  expect(history).toHaveLength(10)
  expect(turns.map(({ from, to }) => history.slice(from, to))).toEqual([
    [thinking],
    [{ role: 'assistant', content: 'Bugs' }],
    [asked('b')],
    [{ role: 'assistant', content: 'Done.' }],
  ])
  expect(turns[0]).toMatchObject({
    usage,
    cost_usd: 0.5,
    price_usd: 0.5,
    inference_ms: 250,
    started_at: '1970-01-01T00:00:01.000Z',
  })
  expect(totals.agent).toMatchObject({ calls: 5, cost_usd: 2.5, raw_input_tokens: 200, output_tokens: 100 })
  expect(read).toMatchObject({ recorded_by: 'proxy', agent: { name: 'codex', tools }, exit_status: 'submitted' })
  expect(read.notes).toEqual(['1 calls failed and are no turns; their cost is in the totals.'])
  expect(readAtif(JSON.parse(writeAtif(read)))).toEqual(read)
})

test('a trace without prompts has turns and totals', async () => {
  const text = await traceWith([traced(start, { text: 'Done.' }, 1)], false)
  expect(trajectoryOfTrace(text, about)).toMatchObject({
    turns: [{ usage }],
    totals: { agent: { calls: 1, cost_usd: 0.5 } },
    notes: ['The trace was written without prompts and answers.'],
  })
})

test('ignores a trace without agent calls, or a truncated one', async () => {
  expect(trajectoryOfTrace(await traceWith([]), about)).toBeNull()
  expect(trajectoryOfTrace('', about)).toBeNull()
  const text = await traceWith([
    traced(start, { text: 'a' }, 1),
    traced([...start, { role: 'user', content: 'b' }], { text: 'c' }, 2),
  ])
  expect(trajectoryOfTrace(text.slice(0, text.indexOf('"assay.purpose"')), about)).toBeNull()
})

test('renders every prompt as it was, however prompts repeat and shorten', () => {
  const word = fc.constantFrom<Message>(...['a', 'b', 'c'].map(content => ({ role: 'user', content }) as const))
  fc.assert(
    fc.property(fc.array(fc.array(word, { maxLength: 8 }), { maxLength: 8 }), prompts => {
      const history = new MergedHistory()
      const parts = prompts.map(prompt => history.take(prompt))
      expect(parts.map(one => renderPrompt(one, history.messages, []))).toEqual(prompts)
    }),
  )
})

test('a long conversation is merged to its own length', async () => {
  const messages: Message[] = [...start]
  const calls: TracedCall[] = []
  for (let at = 0; at < 200; at++) {
    const id = `c${at}`
    calls.push(
      traced([...messages], { text: 'I look.', tool_calls: [{ id, name: 'bash', arguments: { command: 'ls' } }] }, at),
    )
    messages.push(asked(id), result(id))
  }
  const read = trajectoryOfTrace(await traceWith(calls), about)
  expect(read?.history).toHaveLength(2 + 200 + 199)
  expect(read?.turns.map(({ prompt }) => prompt)).toEqual(
    calls.map(({ call }) => [{ from: 0, to: call.messages.length }]),
  )
  expect(read?.turns.slice(0, -1).every(({ from, to }) => to === from + 2)).toBe(true)
})
