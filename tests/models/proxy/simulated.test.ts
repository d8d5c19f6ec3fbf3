import { existsSync, readFileSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { readTrace } from '../../../src/models/trace/read-trace.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, calm } from '../support.ts'
import { openTestProxy, post, price, user } from './support.ts'

const settings: ModelSettings = {
  'sim/worker': {
    price,
    rules: [
      {
        purpose: 'agent',
        turn: 1,
        reasoning: 'Hm.',
        answer: 'Looking.',
        tool: { name: 'look', arguments: { at: 'it' } },
      },
      { answer: 'Seen {result}.' },
    ],
  },
  'sim/cut': { price, rules: [{ fail: 'cut', answer: 'this is never heard to its end' }] },
  'gpt-5.1': { rules: [{ answer: 'rehearsed' }] },
}
const input_schema = { type: 'object' as const, properties: { at: { type: 'string' } } }
const tools = [{ name: 'look', description: 'at it', input_schema }]

test('simulated models need no network', async () => {
  const { anthropic, proxy, permits } = await openTestProxy({ settings })
  const stream = anthropic.messages.stream({ model: 'sim/worker', max_tokens: 90, messages: [user('hi')], tools })
  const first = await stream.finalMessage()
  expect(first.content).toMatchObject([
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', name: 'look' },
  ])
  expect(proxy.totals()).toMatchObject({ calls: 1, by_purpose: { agent: { calls: 1 } } })
  expect(permits.settled).toMatchObject([{ usd: expect.any(Number) }])
  expect(permits.asked[0]).toMatchObject({ provider: 'sim', model: 'sim/worker', purpose: 'agent' })
})

test('in a rehearsal every model is simulated, at its real price and without its key', async () => {
  const { openai, permits } = await openTestProxy({ settings, models: { rehearse: true } })
  const { output_text, usage } = await openai.responses.create({ model: 'gpt-5.1', input: 'hello', store: false })
  expect(output_text).toBe('rehearsed')
  const { input_tokens = 0, output_tokens = 0 } = usage ?? {}
  expect(permits.settled[0]?.usd).toBeCloseTo((input_tokens * 1.25 + output_tokens * 10) / 1e6, 12)
  expect(permits.asked[0]?.provider).toBe('openai')
})

test('a cut simulated answer is cut for the agent too, and its bound is charged', async () => {
  const opened = await openTestProxy({ settings })
  const body = { model: 'sim/cut', messages: [user('hi')], stream: true }
  await expect(post(opened, '/v1/chat/completions', body)).rejects.toThrow()
  await expect.poll(() => opened.permits.settled).toMatchObject([{ usd: null }])
})

test('the trajectory of a run has every forwarded message once', async () => {
  const file = join(folderWith(), 'trace.jsonl')
  const trace = new RunTrace({ path: () => file, id: 'run', content: true, redact: text => text })
  const { anthropic } = await openTestProxy({ settings, run: { trace } })
  const about = { model: 'sim/worker', max_tokens: 90, system: 'You look at things, one after the other.', tools }
  const first = await anthropic.messages.create({ ...about, messages: [user('hi')] })
  const used = first.content.find(block => block.type === 'tool_use')
  await anthropic.messages.create({
    ...about,
    messages: [
      user('hi'),
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: used?.id ?? '', content: 'a lamp' }] },
    ],
  })
  await trace.close()
  const text = readFileSync(file, 'utf8')
  expect(text.match(/You look at things/g)).toHaveLength(1)
  const spans = [...readTrace(text)].flatMap(line => ('stored' in line ? [line] : []))
  const calls = spans.filter(({ stored }) => String(stored.name).startsWith('chat '))
  expect(calls).toHaveLength(2)
  expect(calls[1]?.list('gen_ai.input.messages').map(message => (message as { role: string }).role)).toEqual([
    'system',
    'user',
    'assistant',
    'tool',
  ])
  expect(JSON.stringify(calls[1]?.list('gen_ai.output.messages'))).toContain('Seen a lamp.')
  expect(text).toContain('"assay.purpose","value":{"stringValue":"agent"}')
})

test('listens on a socket for its owner only, and removes it afterwards', async () => {
  const socket = join(folderWith(), 'models.sock')
  const models = openModels({ env: {}, settings })
  const run = { permits: new CountedPermits(), seed: 1 }
  const proxy = await models.openProxy({ run, signal: calm(), listen: { socket } })
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  const status = await new Promise(resolve =>
    request({ socketPath: socket, path: '/v1/models', headers: { 'x-api-key': proxy.key } }, response => {
      response.resume().on('end', () => resolve(response.statusCode))
    }).end(),
  )
  expect(status).toBe(200)
  expect(proxy.variables(8100)).toMatchObject({
    OPENAI_BASE_URL: 'http://127.0.0.1:8100/v1',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:8100',
    OPENAI_API_KEY: proxy.key,
  })
  await proxy.close()
  expect(existsSync(socket)).toBe(false)
  const long = join(folderWith(), 'x'.repeat(120))
  const opening = models.openProxy({ run, signal: calm(), listen: { socket: long } })
  await expect(opening).rejects.toThrow('at most 107 bytes')
})
