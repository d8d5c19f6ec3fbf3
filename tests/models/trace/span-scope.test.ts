import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { Message } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { otlpOf } from '../../../src/models/trace/read-trace.ts'
import { RunTrace, type SpanScope, spanScope } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { spansOf } from '../../support/otlp-receiver.ts'
import { problemsOfOtlp } from '../../support/valid-otlp.ts'
import { CountedPermits, call, calm } from '../support.ts'

const settings: ModelSettings = {
  'sim/agent': {
    rules: [
      { turn: 1, tool: { name: 'bash', arguments: { command: 'ls' } } },
      { turn: 2, tool: { name: 'bash', arguments: { command: 'false' } } },
      { answer: 'done' },
    ],
  },
}

const tools = [{ name: 'bash', description: 'Runs a command.', parameters: { type: 'object' } }]

/** An agent of a few lines, which only knows the scope of its run. */
async function act(run: SpanScope): Promise<string> {
  return run.agent({ name: 'coder', description: 'Writes code.', model: 'sim/agent' }, async agent => {
    const messages: Message[] = [{ role: 'user', content: 'List the files.' }]
    for (;;) {
      const answer = await agent.client.call(call('sim/agent', { messages: [...messages], tools }), calm())
      messages.push({ role: 'assistant', content: answer.text, tool_calls: answer.tool_calls })
      if (answer.tool_calls.length === 0) return answer.text
      for (const asked of answer.tool_calls) {
        const content = await agent.tool(asked, async tool => {
          if (asked.arguments.command !== 'ls') tool.fail(new Error('exit code 1'))
          return asked.arguments.command === 'ls' ? 'README.md' : 'failed'
        })
        messages.push({ role: 'tool', tool_call_id: asked.id, name: asked.name, content })
      }
    }
  })
}

function scoped(content = true) {
  const file = join(folderWith(), 'trace.jsonl')
  const facts = { 'assay.run': 'run-1', 'assay.experiment': 'demo', 'assay.seed': 1 }
  const trace = new RunTrace({ path: () => file, id: 'x', content, redact: text => text, name: 'run demo', facts })
  const client = openModels({ env: {}, settings }).client({ permits: new CountedPermits(), seed: 1, trace })
  const exported = () => {
    const document = [...otlpOf([{ run: 'run-1', file, text: readFileSync(file, 'utf8') }], 'demo')].join('')
    return JSON.parse(document)
  }
  return { trace, client, scope: spanScope(trace, client), exported }
}

test('run, agent, call and tool spans have their parents, and all of it is valid OTLP', async () => {
  const { trace, client, scope, exported } = scoped()
  expect(await act(scope)).toBe('done')
  scope.score({ name: 'tests', value: 1, passed: true, explanation: 'all 3 pass', response_id: 'resp-1' })
  await trace.close({ 'assay.outcome': 'completed' })
  const document = exported()
  expect(problemsOfOtlp(document)).toEqual([])
  const spans = spansOf(document)
  const nameOf = (id: string | undefined) => spans.find(span => span.spanId === id)?.name
  expect(spans.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)])).toEqual([
    ['chat sim/agent', 'invoke_agent coder'],
    ['execute_tool bash', 'invoke_agent coder'],
    ['chat sim/agent', 'invoke_agent coder'],
    ['execute_tool bash', 'invoke_agent coder'],
    ['chat sim/agent', 'invoke_agent coder'],
    ['invoke_agent coder', 'run demo'],
    ['run demo', undefined],
  ])
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
  const [, worked, , failed] = spans
  expect(worked?.facts).toMatchObject({
    'gen_ai.tool.name': 'bash',
    'gen_ai.tool.call.id': expect.any(String),
    'gen_ai.tool.call.arguments': '{"command":"ls"}',
    'gen_ai.tool.call.result': 'README.md',
  })
  expect(worked?.status).toEqual({ code: 0 })
  expect(failed).toMatchObject({ status: { code: 2, message: 'exit code 1' }, facts: { 'error.type': 'Error' } })
  expect(spans.at(-1)).toMatchObject({
    facts: { 'assay.run': 'run-1', 'assay.seed': 1, 'assay.outcome': 'completed' },
    events: [
      {
        name: 'gen_ai.evaluation.result',
        facts: {
          'gen_ai.evaluation.name': 'tests',
          'gen_ai.evaluation.score.value': 1,
          'gen_ai.evaluation.score.label': 'pass',
          'gen_ai.evaluation.explanation': 'all 3 pass',
          'gen_ai.response.id': 'resp-1',
        },
      },
    ],
  })
  // Calls below an agent count for the run as any other.
  expect(client.totals().calls).toBe(3)
})

test('an agent’s exception is the error of its span, and is rethrown', async () => {
  const { trace, scope, exported } = scoped()
  const broken = scope.agent({ name: 'a' }, () => scope.tool({ name: 't' }, () => Promise.reject(new TypeError('no'))))
  await expect(broken).rejects.toThrow('no')
  await trace.close()
  const spans = spansOf(exported())
  expect(spans.map(({ name, status, facts }) => [name, status.message, facts['error.type']])).toEqual([
    ['execute_tool t', 'no', 'TypeError'],
    ['invoke_agent a', 'no', 'TypeError'],
    ['run demo', undefined, undefined],
  ])
})

test('without content no argument, result or explanation is written', async () => {
  const { trace, scope, exported } = scoped(false)
  await act(scope)
  scope.score({ name: 'judge', value: 0.5, explanation: 'it said README.md' })
  await trace.close()
  const document = exported()
  expect(problemsOfOtlp(document)).toEqual([])
  expect(JSON.stringify(document)).not.toMatch(/README|ls"|List the files/)
})

test('does the same work without a trace, and writes nothing', async () => {
  const client = openModels({ env: {}, settings }).client({ permits: new CountedPermits(), seed: 1 })
  const scope = spanScope(null, client)
  expect([await act(scope), scope.traceparent]).toEqual(['done', null])
})

test('programs started below a span get it in W3C’s format', async () => {
  const { trace, scope } = scoped()
  expect(scope.traceparent).toBe(`00-${trace.traceId}-${trace.root.id}-01`)
  await scope.agent({ name: 'a' }, async agent => {
    expect(agent.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(agent.traceparent).not.toBe(scope.traceparent)
  })
})
