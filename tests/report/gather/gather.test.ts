import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTrace } from '../../../src/models/trace/read-trace.ts'
import { TraceLines } from '../../../src/models/trace/trace-lines.ts'
import { evidenceOf } from '../../../src/record/evidence/evidence.ts'
import { gatherDataset } from '../../../src/report/gather/gather-dataset.ts'
import { readTail } from '../../../src/report/gather/run-files.ts'
import { turnsOf } from '../../../src/report/gather/run-traces.ts'
import type { Json, JsonObject } from '../../../src/util/json.ts'
import { assay, folderWith } from '../../support/assay.ts'

const datasetOf = (dir: string) => gatherDataset(evidenceOf(dir, { series: 'all', attempts: true }))

describe('a dataset out of an experiment directory', () => {
  it('has parameters, output and files of runs', async () => {
    const cwd = folderWith({
      'e.yaml': `name: e
description: which is better
target: { kind: command, command: [sh, -c, "echo hello {x}; echo bad >&2; exit {x}"] }
factors: { x: [0, 7] }
seeds: 1..2
limits: { retries: 1 }
metrics: { score: { goal: maximize, primary: true } }
`,
    })
    await assay(['run', 'e.yaml', '--tag', 'first', '-q'], { cwd })
    const { title, experiments, evidence, folders, kept } = datasetOf(join(cwd, 'results/e'))
    expect(title).toBe('e')
    expect(experiments[0]).toMatchObject({
      description: 'which is better',
      place: 'results/e',
      config: 'e.yaml',
      tags: ['first'],
      standing: { planned: 4, states: { completed: 2, failed: 2 } },
    })
    const at = evidence.runs.findIndex(run => run.params.x === 7)
    expect(evidence.runs[at]).toMatchObject({
      state: 'failed',
      attempts: [{ number: 1, outcome: { kind: 'failed', exit_code: 7 } }, { number: 2 }],
    })
    expect(folders[at]?.output).toEqual([
      { stream: 'stderr', text: 'bad\n', bytes: 4 },
      { stream: 'stdout', text: 'hello 7\n', bytes: 8 },
    ])
    expect(folders[at]?.files?.map(({ path }) => path)).toContain('stdout.txt')
    expect(kept).toMatchObject({ printed: 4, with_output: 4 })
    // Paths of the user's files are private.
    expect(JSON.stringify({ experiments, sources: evidence.sources })).not.toContain(cwd)
  })

  it('works in the folder of its file', async () => {
    const cwd = folderWith({
      'e/e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n',
    })
    await assay(['run', 'e/e.yaml', '-q', '--out-root', '.'], { cwd })
    expect(datasetOf(join(cwd, 'e')).experiments[0]?.place).toBe('.')
  })

  it('contains no secret', async () => {
    const cwd = folderWith({
      'e.yaml': `name: e
target: { kind: command, command: ["true"], env: { API_KEY: sk-SECRET-1 } }
params: { api_key: sk-SECRET-2, max_tokens: 5, tokenizer: bpe }
`,
    })
    await assay(['run', 'e.yaml', '-q', '--set', 'params.password=sk-SECRET-3'], { cwd })
    const dataset = datasetOf(join(cwd, 'results/e'))
    expect(JSON.stringify(dataset)).not.toContain('sk-SECRET')
    expect(dataset.evidence.runs[0]?.params).toEqual({
      api_key: '(masked)',
      max_tokens: 5,
      tokenizer: 'bpe',
      password: '(masked)',
    })
  })
})

describe('the end of a file', () => {
  it('begins with a whole line, and is text', () => {
    const folder = folderWith()
    const file = join(folder, 'out.txt')
    writeFileSync(file, `${'x'.repeat(50)}\n\u001b[31mred\u001b[0m\n10%\r50%\r100%\nnul \u0000 end\n`)
    expect(readTail(file, 40)).toEqual({ text: 'red\n100%\nnul \ufffd end\n', bytes: expect.any(Number) })
    expect(readTail(join(folder, 'none.txt'), 40)).toBeNull()
  })
})

describe('a trace', () => {
  const span = (messages: readonly object[], answer: string, more: JsonObject = {}): JsonObject => ({
    name: 'chat m',
    startTimeUnixNano: '1000000000',
    endTimeUnixNano: '1250000000',
    status: { code: 1 },
    attributes: [
      { key: 'assay.purpose', value: { stringValue: 'agent' } },
      { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
      { key: 'gen_ai.input.messages', value: { stringValue: JSON.stringify(messages) } },
      {
        key: 'gen_ai.output.messages',
        value: { stringValue: JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: answer }] }]) },
      },
    ],
    ...more,
  })
  const turns = (lines: readonly Json[]) => {
    const text = lines.map(line => JSON.stringify(line)).join('\n')
    return [...turnsOf(readTrace(text), 100_000)]
  }
  const user = (content: string) => ({ role: 'user', parts: [{ type: 'text', content }] })

  it('keeps only new messages of each call', () => {
    const first = [user('go')]
    const tool = { role: 'tool', parts: [{ type: 'tool_call_response', id: '1', response: 'ok' }] }
    const [one, two] = turns([span(first, 'yes'), span([...first, tool], 'done')])
    expect(one).toMatchObject({
      purpose: 'agent',
      ms: 250,
      input_tokens: 12,
      repeated: 0,
      messages: [{ role: 'user', text: 'go' }],
      answer: [{ role: 'assistant', text: 'yes' }],
    })
    expect(two).toMatchObject({ repeated: 1, messages: [{ role: 'tool', text: 'ok' }] })
  })

  it('is the same for both trace formats', () => {
    const conversation = ['go', 'on', 'and on'].map((_, index, all) => all.slice(0, index + 1).map(user))
    const inSpans = conversation.map((messages, index) => span(messages, `answer ${index}`))
    const facts = {
      name: 'chat m',
      kind: 3,
      startTimeUnixNano: '1000000000',
      endTimeUnixNano: '1250000000',
      attributes: [
        { key: 'assay.purpose', value: { stringValue: 'agent' } },
        { key: 'gen_ai.usage.input_tokens', value: { intValue: '12' } },
      ],
      status: { code: 1 },
    } as const
    const lines = new TraceLines(text => text)
    const apart = conversation.map((messages, index) =>
      lines.of(
        { traceId: 'a', spanId: `b${index}`, ...facts },
        {
          'gen_ai.input.messages': messages,
          'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: `answer ${index}` }] }],
        },
      ),
    )
    expect([...turnsOf(readTrace(apart.join('')), 100_000)]).toEqual(turns(inSpans))
  })

  it('cuts huge texts', () => {
    const big = { id: 'big', content: user('x'.repeat(3000)) }
    const lists = { 'gen_ai.input.messages': { more: Array(1000).fill('big') } }
    const [turn] = turns([big, { traceId: 'a', spanId: 'b', lists }])
    expect(turn?.messages.length).toBeLessThan(40)
  })

  describe('with agents and tools', () => {
    const ids = (spanId: string, parentSpanId: string | null, start: number): JsonObject => ({
      traceId: 'a',
      spanId,
      ...(parentSpanId !== null && { parentSpanId }),
      startTimeUnixNano: String(start),
    })
    const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
    const plain = (name: string, of: JsonObject, more: JsonObject = {}): JsonObject => ({ name, ...of, ...more })
    const run = (more: JsonObject = {}) =>
      plain('run demo', ids('r', null, 1), { attributes: [text('assay.run', 'x')], ...more })
    const tree = [
      span([user('go')], 'one', ids('c1', 'ag', 3)),
      plain('execute_tool bash', ids('t1', 'ag', 4), {
        attributes: [text('gen_ai.tool.call.arguments', '{"command":"ls"}'), text('gen_ai.tool.call.result', 'a b')],
      }),
      span([user('other')], 'sub', ids('c3', 'sub', 6)),
      plain('invoke_agent sub', ids('sub', 'ag', 5)),
      span([user('go'), user('on')], 'two', ids('c2', 'ag', 7)),
      plain('invoke_agent main', ids('ag', 'r', 2)),
    ]

    it('shows each span below its parent, in starting order', () => {
      expect(turns([...tree, run()]).map(({ name, depth, repeated }) => [name, depth, repeated])).toEqual([
        ['invoke_agent main', 0, 0],
        ['chat m', 1, 0],
        ['execute_tool bash', 1, 0],
        ['invoke_agent sub', 1, 0],
        ['chat m', 2, 0],
        // New messages are found among the calls of the same agent.
        ['chat m', 1, 1],
      ])
      expect(turns(tree)[2]).toMatchObject({
        messages: [{ role: 'arguments', text: '{"command":"ls"}' }],
        answer: [{ role: 'result', text: 'a b' }],
      })
    })

    it("shows the run's own span if it has scores or failed", () => {
      const attributes = [text('gen_ai.evaluation.name', 'tests'), text('gen_ai.evaluation.score.label', 'fail')]
      const events = [{ name: 'gen_ai.evaluation.result', timeUnixNano: '9', attributes }]
      const [first, agent] = turns([...tree, run({ events })])
      expect(first).toMatchObject({
        name: 'run demo',
        depth: 0,
        scores: [{ name: 'tests', value: null, label: 'fail', explanation: null }],
      })
      expect(agent).toMatchObject({ name: 'invoke_agent main', depth: 1 })
      expect(turns([...tree, run({ status: { code: 2, message: 'no' } })])[0]?.error).toBe('no')
    })

    it('survives spans without parent, in cycles, and very deep ones', () => {
      const lost = plain('lost', ids('l', 'gone', 1))
      const circle = [plain('x', ids('x', 'y', 1)), plain('y', ids('y', 'x', 2))]
      expect(turns([lost, ...circle]).map(({ name }) => name)).toEqual(['lost', 'x', 'y'])
      const deep = Array.from({ length: 12_000 }, (_, at) =>
        plain('d', ids(`d${at}`, at === 0 ? null : `d${at - 1}`, 1)),
      )
      expect(turns(deep).at(-1)?.depth).toBe(11_999)
    })

    it('names the program that sent a span', () => {
      const content = { resource: [text('service.name', 'my-agent')], scope: { name: 'lib' } }
      expect(turns([{ id: 'o', content }, plain('work', ids('w', null, 1), { origin: 'o' })])).toMatchObject([
        { name: 'work', service: 'my-agent' },
      ])
    })
  })

  it('shows failures, and survives other lines', () => {
    const failed = span([], '', { status: { code: 2, message: 'rate limited' } })
    expect(turns([failed])[0]?.error).toBe('rate limited')
    expect(turns(['text', 5, null, {}])).toMatchObject([{ name: 'call', messages: [], answer: [] }])
  })
})
