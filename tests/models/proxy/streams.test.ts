import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from '../support.ts'
import { environmentAt, openTestProxy, post, realKey, settingsFor, user } from './support.ts'

const events = { 'content-type': 'text/event-stream' }
const chunk = (delta: object, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`
const last = `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`
const usage = `data: ${JSON.stringify({ id: 'c1', model: 'm', choices: [], usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } })}\n\n`
const done = 'data: [DONE]\n\n'
const streamed = { model: 'gpt', messages: [user('hello')], stream: true, max_completion_tokens: 50 }

/** A provider that says the next piece when the test does. */
async function startHandDriven() {
  const asked = Promise.withResolvers<ServerResponse>()
  const server = await startServer(response => {
    response.writeHead(200, events)
    asked.resolve(response)
  })
  const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m') })
  const ask = (signal?: AbortSignal): Promise<Response> =>
    fetch(`${opened.root}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${opened.proxy.key}` },
      body: JSON.stringify(streamed),
      ...(signal !== undefined && { signal }),
    })
  return { ...opened, server, ask, provider: asked.promise }
}

test('every piece reaches the agent before the next one arrives', async () => {
  const { ask, provider } = await startHandDriven()
  const answer = ask()
  const response = await provider
  // The provider has not written a byte of its answer: its headers are there already.
  response.flushHeaders()
  const reader = (await answer).body?.pipeThrough(new TextDecoderStream()).getReader()
  for (const word of ['one', 'two', 'three']) {
    response.write(chunk({ content: word }))
    expect((await reader?.read())?.value).toContain(word)
  }
  response.end(last + usage + done)
  let rest = ''
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value
  expect(rest.replaceAll('"model":"gpt"', '"model":"m"')).toBe(last + done)
})

test('an agent that disconnects early ends the call, and its upper bound is charged', async () => {
  const { ask, provider, server, permits, proxy } = await startHandDriven()
  const stop = new AbortController()
  const answer = ask(stop.signal)
  const response = await provider
  response.write(chunk({ content: 'one' }))
  const reader = (await answer).body?.getReader()
  await reader?.read()
  stop.abort()
  await server.closed
  await expect.poll(() => permits.settled).toMatchObject([{ usd: null, usage: null }])
  expect(proxy.totals()).toMatchObject({ calls: 1, failed_calls: 1, cost_usd: null })
  expect(proxy.problem?.fault).toBe('answer_cut')
})

test('an agent that disconnects after the last word is charged the real cost', async () => {
  const { ask, provider, permits } = await startHandDriven()
  const stop = new AbortController()
  const answer = ask(stop.signal)
  const response = await provider
  response.write(chunk({ content: 'one' }) + last)
  const reader = (await answer).body?.pipeThrough(new TextDecoderStream()).getReader()
  let heard = ''
  while (!heard.includes('"stop"')) heard += (await reader?.read())?.value
  stop.abort()
  response.end(usage + done)
  await expect
    .poll(() => permits.settled)
    .toMatchObject([{ usd: 0.00003, usage: { input_tokens: 10, output_tokens: 2 } }])
})

test('an answer broken off by the provider is broken off for the agent, too', async () => {
  const { ask, provider, permits } = await startHandDriven()
  const answer = ask()
  const response = await provider
  response.write(chunk({ content: 'one' }), () => response.destroy())
  await expect((await answer).text()).rejects.toThrow()
  await expect.poll(() => permits.settled).toMatchObject([{ usd: null }])
})

test('an error within a stream goes to the agent, and costs at most the reservation', async () => {
  const { ask, provider, permits, proxy } = await startHandDriven()
  const answer = ask()
  const response = await provider
  const error = 'data: {"error":{"message":"overloaded","type":"server_error"}}\n\n'
  response.end(chunk({ content: 'one' }) + error)
  expect(await (await answer).text()).toContain(error)
  await expect.poll(() => permits.settled).toMatchObject([{ usd: null }])
  expect(proxy.problem?.fault).toBe('server_error')
})

test('a key that comes back in two chunks does not reach the agent', async () => {
  const { ask, provider } = await startHandDriven()
  const answer = ask()
  const response = await provider
  const text = chunk({ content: `your key is ${realKey}.` })
  const middle = text.indexOf(realKey) + 9
  response.write(text.slice(0, middle), () => response.end(text.slice(middle) + last + usage + done))
  const heard = await (await answer).text()
  expect(heard).toContain('your key is [key].')
  expect(heard).not.toContain(realKey.slice(0, 12))
})

test('a provider is not read faster than the agent reads', async () => {
  let sent = 0
  const piece = chunk({ content: 'x'.repeat(64 * 1024) })
  const server = await startServer(response => {
    response.writeHead(200, events)
    const more = (): void => {
      while (sent < 1000) {
        sent++
        if (!response.write(piece)) return void response.once('drain', more)
      }
      response.end(last + usage + done)
    }
    more()
  })
  const opened = await openTestProxy({ env: environmentAt(server.address), settings: settingsFor('m') })
  const body = JSON.stringify(streamed)
  const socket = connect(Number(opened.proxy.port), '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${opened.proxy.key}\r\n`)
  socket.write(`content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`)
  await new Promise(resolve => socket.once('readable', resolve))
  // Without a reader, sending stops long before all 65 MB are sent.
  let before = -1
  await expect
    .poll(
      () => {
        const isAtRest = sent > 0 && sent === before
        before = sent
        return isAtRest
      },
      { interval: 500 },
    )
    .toBe(true)
  expect(sent).toBeLessThan(500)
  let bytes = 0
  socket.on('data', data => {
    bytes += data.length
  })
  await new Promise(resolve => socket.once('close', resolve))
  expect(sent).toBe(1000)
  expect(bytes).toBeGreaterThan(1000 * 64 * 1024)
  await expect.poll(() => opened.permits.settled).toMatchObject([{ usd: 0.00003 }])
})

test('stopping a run ends its calls', async () => {
  const stop = new AbortController()
  const server = await startServer(response => void response.writeHead(200, events).write(chunk({ content: 'one' })))
  const opened = await openTestProxy({
    ...{ env: environmentAt(server.address), settings: settingsFor('m'), signal: stop.signal },
  })
  const answer = post(opened, '/v1/chat/completions', streamed)
  await expect.poll(() => server.requests.length).toBe(1)
  stop.abort({ kind: 'timed_out', message: 'too long' })
  await expect(answer).rejects.toThrow()
  await server.closed
  await expect.poll(() => opened.permits.settled).toMatchObject([{ usd: null }])
})

test('closing settles calls in progress', async () => {
  const { ask, provider, proxy, permits } = await startHandDriven()
  const answer = ask().then(response => response.text())
  const response = await provider
  response.write(chunk({ content: 'one' }))
  const failed = expect(answer).rejects.toThrow()
  await expect.poll(() => permits.asked.length).toBe(1)
  await proxy.close()
  expect(permits.settled).toHaveLength(1)
  await failed
})
