import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ModelSettings } from '../../../src/define/models/model-settings.ts'
import { redactorOf } from '../../../src/models/keys/redact.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { readTrace } from '../../../src/models/trace/read-trace.ts'
import { RunTrace } from '../../../src/models/trace/run-trace.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, chatCompletion, errorOf, startServer } from '../support.ts'

const planted = 'sk-planted-0123456789abcdef'

/** Everything that is in the files of a folder. */
function textIn(folder: string): string {
  return readdirSync(folder, { recursive: true })
    .map(name => join(folder, String(name)))
    .filter(path => statSync(path).isFile())
    .map(path => readFileSync(path, 'utf8'))
    .join('\n')
}

for (const [what, status, body] of [
  ['in its message', 401, JSON.stringify({ error: { message: `Incorrect API key provided: ${planted}` } })],
  ['in a text that is no JSON', 500, `proxy error for Bearer ${planted}`],
  [
    'in a header-like dump',
    400,
    JSON.stringify({ error: { message: 'bad', request: { authorization: `Bearer ${planted}` } } }),
  ],
  ['in its answer', 200, chatCompletion(`your key is ${planted}`)],
  ['in a broken answer', 200, `{"id": "${planted}`],
] as const)
  for (const kind of ['openai', 'anthropic', 'openai-compatible', 'openrouter'] as const)
    test(`a server of the kind ${kind} that sends the key back ${what} gets it into no file, error or total`, async () => {
      const server = await startServer(response =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(body),
      )
      const folder = folderWith()
      const env = { MY_KEY: planted }
      const settings: ModelSettings = { m: { provider: kind, address: server.address, key: 'MY_KEY', price: 'free' } }
      const notices: string[] = []
      const models = openModels({ env, settings, retry: { tries: 1 }, onNotice: notice => notices.push(notice) })
      const { redact } = models
      const trace = new RunTrace({ path: () => join(folder, 'trace.jsonl'), id: 'run', content: true, redact })
      const permits = new CountedPermits()
      const client = models.client({
        permits,
        seed: 1,
        trace,
        keeping: { folder: join(folder, 'calls'), mode: 'record', scope: {} },
      })
      const outcome = await client.call(call('m'), calm()).catch((error: unknown) => error)
      await trace.close()
      expect(server.requests).toHaveLength(1)
      expect(JSON.stringify(server.requests[0]?.headers)).toContain(planted)
      const error =
        outcome instanceof Error ? [outcome.message, outcome.stack, outcome.cause, JSON.stringify(outcome)] : []
      const everything = [
        textIn(folder),
        JSON.stringify(outcome),
        ...error,
        JSON.stringify(client.totals()),
        JSON.stringify(permits),
        ...notices,
      ].join('\n')
      expect(everything).toContain('chat')
      expect(everything).not.toContain(planted)
    })

test('a key in the prompt itself does not get into the trace either', async () => {
  const server = await startServer(response => response.writeHead(429).end('{}'))
  const folder = folderWith()
  const settings: ModelSettings = { m: { provider: 'openai-compatible', address: server.address, key: 'MY_KEY' } }
  const models = openModels({ env: { MY_KEY: planted }, settings, retry: { tries: 1 } })
  const trace = new RunTrace({
    path: () => join(folder, 'trace.jsonl'),
    id: 'run',
    content: true,
    redact: models.redact,
  })
  const client = models.client({ permits: new CountedPermits(), seed: 1, trace })
  await errorOf(client.call(call('m', { messages: [{ role: 'user', content: `use ${planted}` }] }), calm()))
  await trace.close()
  expect(textIn(folder)).toContain('use [key]')
})

test('a key that occurs in an id or a number breaks no line', async () => {
  const traced = async (secrets: readonly string[]) => {
    const file = join(folderWith(), 'trace.jsonl')
    const trace = new RunTrace({ path: () => file, id: 'run', content: true, redact: redactorOf(secrets) })
    const client = openModels({ env: {} }).client({ permits: new CountedPermits(), seed: 1, trace })
    await client.call(call('sim/echo', { seed: 1, tools: [tool] }), calm())
    await trace.close()
    return readFileSync(file, 'utf8')
  }
  const tool = { name: 'enter', description: '', parameters: { default: 987654 } }
  const id: string = JSON.parse((await traced([])).split('\n')[0] ?? '').id
  const text = await traced([id.slice(4, 12), '987654'])
  expect(text).toContain(id)
  expect(text).not.toContain('987654')
  expect([...readTrace(text)]).toMatchObject([{ problems: [] }, { problems: [] }])
})

test('removes a key from base64 too, at any position, and from addresses', () => {
  const redact = redactorOf([planted])
  for (const before of ['', ':', 'me:', 'you:', 'Bearer '])
    for (const form of ['base64', 'base64url'] as const) {
      const text = `Basic ${Buffer.from(`${before}${planted}${before}`).toString(form)}, and more`
      const left = redact(text)
      expect(left).toContain('[key]')
      // Only the characters at its ends remain, which contain bits of the neighbouring text.
      const rest = Buffer.from(left.replace(/^Basic |, and more$|\[key\]/g, ''), form).toString('latin1')
      expect(rest).not.toContain(planted.slice(2, 10))
      expect(left).toMatch(/and more$/)
    }
  const odd = 'a key/with+signs&=?'
  expect(redactorOf([odd])(`https://host/?k=${encodeURIComponent(odd)}`)).toBe('https://host/?k=[key]')
})
