import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import type { ModelCall } from '../../../src/models/model-call.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { CountedPermits, call, calm, chatCompletion, startServer } from '../support.ts'

const tools = ['look', 'feel'].map(name => ({ name, description: '', parameters: { type: 'object', properties: {} } }))

/** Calls a server that always answers with calls of these tools; returns the error message, or null. */
async function asked(names: readonly string[], more: Partial<ModelCall>, finish_reason = 'tool_calls') {
  const tool_calls = names.map((name, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: '{}' },
  }))
  const message = { role: 'assistant', content: names.length === 0 ? 'fine' : null, tool_calls }
  const server = await startServer(response =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(chatCompletion('', { choices: [{ index: 0, message, finish_reason }] })),
  )
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address, price: 'free' } }
  const client = openModels({ env: {}, settings, retry: { tries: 1 } }).client({
    permits: new CountedPermits(),
    seed: 1,
  })
  return client.call(call('m', { tools, ...more }), calm()).then(
    () => null,
    (error: Error) => error.message,
  )
}

test('an answer that contradicts the tool settings is malformed', async () => {
  expect(await asked([], { tool_choice: 'required' })).toContain('called no tool, although tool_choice is "required"')
  expect(await asked([], { tool_choice: { tool: 'look' } })).toContain(
    'called no tool, although tool_choice wants look',
  )
  expect(await asked(['feel'], { tool_choice: { tool: 'look' } })).toContain('it called feel, although')
  expect(await asked(['look'], { tool_choice: 'none' })).toContain('it called look, although tool_choice is "none"')
  expect(await asked(['look', 'feel'], { parallel_tool_calls: false })).toContain('2 tools at once (look, feel)')
})

test('a compliant answer is accepted, and so is one that was cut', async () => {
  expect(await asked(['look'], { tool_choice: 'required', parallel_tool_calls: false })).toBe(null)
  expect(await asked(['look', 'look'], { tool_choice: { tool: 'look' } })).toBe(null)
  expect(await asked([], { tool_choice: 'none' })).toBe(null)
  expect(await asked([], { tool_choice: 'required' }, 'length')).toBe(null)
  expect(await asked(['look', 'feel'], {})).toBe(null)
})
