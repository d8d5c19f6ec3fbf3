import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support.ts'
import { environmentAt, type Opened, openTestProxy, post, realKey, settingsFor, user } from './support.ts'

/** A wire between an agent and the proxy, on which every byte that comes to the agent is kept. */
async function tapped({ proxy }: Opened): Promise<{ readonly root: string; heard(): string }> {
  const chunks: Buffer[] = []
  const tap = createServer(agent => {
    const there = connect(Number(proxy.port), '127.0.0.1')
    there.on('data', chunk => void chunks.push(Buffer.from(chunk)))
    agent.pipe(there).pipe(agent)
    for (const end of [agent, there]) end.on('error', () => {})
  })
  tap.listen(0, '127.0.0.1')
  await once(tap, 'listening')
  onTestFinished(() => void tap.close())
  const { port } = tap.address() as AddressInfo
  return { root: `http://127.0.0.1:${port}`, heard: () => Buffer.concat(chunks).toString('latin1') }
}

test('the real key never reaches the agent, wherever the provider puts it', async () => {
  const escaped = JSON.stringify(realKey).slice(1, -1)
  const server = await startServer((response, nth, request) => {
    const told = `you sent ${request.headers.authorization ?? request.headers['x-api-key']}`
    const status = nth % 3 === 0 ? 400 : 200
    const headers = {
      'x-request-id': `req ${realKey}`,
      'x-ratelimit-limit-requests': realKey,
      'set-cookie': `k=${realKey}`,
    }
    const isStream = nth % 2 === 0
    response.writeHead(status, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      ...headers,
      [realKey]: 'x',
    })
    response.end(isStream ? `data: ${JSON.stringify({ told, [realKey]: escaped })}\n\n` : JSON.stringify({ told }))
  })
  const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m') })
  const { root, heard } = await tapped(opened)
  for (const [path, body] of [
    ['/v1/chat/completions', { model: 'gpt', messages: [user('hi')] }],
    ['/v1/responses', { model: 'gpt', input: 'hi' }],
    ['/v1/messages', { model: 'claude', max_tokens: 5, messages: [user('hi')] }],
  ] as const)
    for (const stream of [false, true, false, true])
      await post({ ...opened, root }, path, { ...body, stream }).catch(() => null)
  expect(server.requests).toHaveLength(12)
  expect(JSON.stringify(server.requests.map(({ headers }) => headers))).toContain(realKey)
  expect(heard()).toContain('you sent')
  expect(heard()).not.toContain(realKey)
  expect(heard()).not.toContain(realKey.slice(8))
  expect(opened.notices.join('\n')).not.toContain(realKey)
})
