import { expect, test } from 'vitest'
import { pacedBody } from '../../../../src/models/sim/server/paced-body.ts'
import { calm, virtualClock } from '../../support.ts'

async function arrivals(parts: readonly string[], latency_ms: number, first_token_ms = 0): Promise<[string, number][]> {
  const clock = virtualClock(0)
  const pace = { latency_ms, first_token_ms }
  const stream = pacedBody(parts, { pace, clock, gone: calm(), cut: null })
  const all: [string, number][] = []
  for await (const piece of stream) all.push([new TextDecoder().decode(piece), clock.now()])
  return all
}

test('spreads pieces evenly over the time after the first token', async () => {
  expect(await arrivals(['a', 'b', 'c', 'd'], 1000, 200)).toEqual([
    ['a', 200],
    ['b', 400],
    ['c', 600],
    ['d', 800],
  ])
})

test('sends everything at once without latency', async () => {
  expect((await arrivals(['a', 'b', 'c'], 0)).map(([, at]) => at)).toEqual([0, 0, 0])
})

test('does not use a timer per piece', async () => {
  const parts = Array.from({ length: 5000 }, (_, index) => String(index))
  const all = await arrivals(parts, 50)
  expect(all.map(([part]) => part)).toEqual(parts)
  expect(all.at(-1)?.[1]).toBeLessThanOrEqual(51)
})

test('stops sending to a disconnected client', async () => {
  const clock = virtualClock(0)
  const leaving = new AbortController()
  const pace = { latency_ms: 1000, first_token_ms: 0 }
  const stream = pacedBody(['a', 'b', 'c'], { pace, clock, gone: leaving.signal, cut: null })
  const reader = stream.getReader()
  expect((await reader.read()).done).toBe(false)
  leaving.abort()
  const rest: boolean[] = []
  for (let read = await reader.read(); !read.done; read = await reader.read()) rest.push(true)
  expect(rest.length).toBeLessThan(2)
})
