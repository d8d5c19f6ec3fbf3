import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { readKeptCall } from '../../../src/models/cache/call-inventory.ts'
import { callKey } from '../../../src/models/cache/call-key.ts'
import type { Message, ModelCall } from '../../../src/models/model-call.ts'
import { ContextTooLong } from '../../../src/models/model-error.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, errorOf } from '../support.ts'

const tools = [{ name: 'look', description: '', parameters: { type: 'object' } }]
const image = { type: 'image', media_type: 'image/png', data: 'AAAA' } as const
const result: Message = { role: 'tool', tool_call_id: 'c', name: 'look', content: 'nothing' }
const asked: ModelCall = call('sim/a', {
  messages: [
    { role: 'user', content: 'hello' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'c', name: 'look', arguments: {} }] },
    result,
  ],
  tools,
})
const withLast = (last: Message): ModelCall => ({ ...asked, messages: [...asked.messages.slice(0, -1), last] })

/** The same call but for one thing. */
const changed: { readonly [field: string]: ModelCall } = {
  tool_choice: { ...asked, tool_choice: 'required' },
  'tool_choice of one tool': { ...asked, tool_choice: { tool: 'look' } },
  parallel_tool_calls: { ...asked, parallel_tool_calls: false },
  is_error: withLast({ ...result, is_error: true }),
  cache: withLast({ ...result, cache: '1h' }),
  'a part': withLast({ ...result, content: [image] }),
  'another part': withLast({ ...result, content: [{ ...image, data: 'BBBB' }] }),
}

const settings: ModelSettings = {
  'sim/a': { rules: [{ tool: { name: 'look', arguments: {} } }], price: 'free', context: 3000 },
}
const keyOf = (one: ModelCall): string => callKey({ call: one, settings, scope: {}, is_rehearsal: false })

test('every field of a call but its purpose is part of the cache key', () => {
  const keys = [asked, ...Object.values(changed)].map(keyOf)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keyOf({ ...asked, purpose: 'summary' })).toBe(keyOf(asked))
})

test('a recording and a trace contain the full request', async () => {
  const folder = folderWith()
  const trace = new RunTrace({ path: () => join(folder, 'trace.jsonl'), id: 'x', content: true, redact: text => text })
  const keeping = { folder: join(folder, 'tape'), mode: 'record', scope: {} } as const
  const client = openModels({ env: {}, settings }).client({ permits: new CountedPermits(), seed: 1, keeping, trace })
  const whole: ModelCall = {
    ...asked,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          image,
          { type: 'file', media_type: 'application/pdf', url: 'https://example.org/a.pdf' },
        ],
      },
      ...asked.messages.slice(1, -1),
      { ...result, is_error: true, cache: '1h' },
    ],
    tool_choice: { tool: 'look' },
    parallel_tool_calls: false,
    purpose: 'check',
  }
  await client.call(whole, calm())
  await trace.close()
  const kept = await readKeptCall(join(folder, 'tape'), keyOf(whole))
  expect(kept?.kept.call).toEqual(whole)
  const lines = readFileSync(join(folder, 'trace.jsonl'), 'utf8')
  for (const part of [
    '"modality":"image"',
    '"AAAA"',
    'https://example.org/a.pdf',
    '"is_error":true',
    '"cache":"1h"',
    'tool look',
    'parallel_tool_calls',
    '"check"',
  ])
    expect(lines).toContain(part)
})

test('a prompt that was too long gives the same error in a replay, with used and allowed', async () => {
  const folder = folderWith()
  const clientOf = (mode: 'record' | 'replay') =>
    openModels({ env: {}, settings }).client({
      permits: new CountedPermits(),
      seed: 1,
      keeping: { folder, mode, scope: {} },
    })
  const long = call('sim/a', { messages: [{ role: 'user', content: 'a word or two '.repeat(2000) }] })
  const first = await errorOf(clientOf('record').call(long, calm()))
  const again = await errorOf(clientOf('replay').call(long, calm()))
  expect(again).toBeInstanceOf(ContextTooLong)
  expect(again).toMatchObject({ message: first.message, used: (first as ContextTooLong).used, allowed: 3000 })
})
