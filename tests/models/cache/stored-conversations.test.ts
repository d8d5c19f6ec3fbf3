import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { planPruning, prune, readKeptCall, takeInventory } from '../../../src/models/cache/call-inventory.ts'
import { callFile, fileStore } from '../../../src/models/cache/call-store.ts'
import { redactorOf } from '../../../src/models/keys/redact.ts'
import type { Message, ModelAnswer, ModelCall } from '../../../src/models/model-call.ts'
import { sha256 } from '../../../src/util/hash.ts'
import { folderWith } from '../../support/assay.ts'
import { call } from '../support.ts'

const answerOf = (text: string, model_id = 'm-2026'): ModelAnswer => ({
  text,
  tool_calls: [],
  reasoning: [],
  finish: 'stop',
  usage: { input_tokens: 1, cached_input_tokens: 0, cache_write_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
  cost_usd: 0.5,
  cost_from: 'prices',
  saved_usd: null,
  latency_ms: 1,
  model_id,
  provider: 'sim',
  tries: 1,
  is_cached: false,
})

interface Turn {
  readonly key: string
  readonly call: ModelCall
  readonly answer: ModelAnswer
}

const tools = [{ name: 'bash', description: 'x'.repeat(5000), parameters: { type: 'object' } }]

/** A kilobyte of text in each turn: half is asked, half is answered. */
function conversation(turns: number, about = 'harbours', model = 'm'): readonly Turn[] {
  const messages: Message[] = [{ role: 'system', content: `Be an agent for ${about}.` }]
  return Array.from({ length: turns }, (_, turn) => {
    messages.push({ role: 'user', content: `question ${turn} ${'q'.repeat(500)}` })
    const asked = call(model, { messages: [...messages], tools })
    const answer = answerOf(`answer ${turn} ${'a'.repeat(500)}`)
    messages.push({ role: 'assistant', content: answer.text })
    return { key: sha256(`${about} ${turn}`), call: asked, answer }
  })
}

async function keep(folder: string, turns: readonly Turn[], redact = (text: string) => text): Promise<void> {
  const store = fileStore(folder, redact)
  for (const { key, call: asked, answer } of turns) await store.write(key, { call: asked, answer, error: null })
}

const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true })
    .map(name => join(folder, String(name)))
    .filter(path => statSync(path).isFile())

const bytesIn = (folder: string): number => filesIn(folder).reduce((sum, file) => sum + statSync(file).size, 0)

const hour = 3_600_000

/** As if everything had been written that long ago. */
function aged(files: readonly string[], ms: number): void {
  for (const file of files) utimesSync(file, (Date.now() - ms) / 1000, (Date.now() - ms) / 1000)
}

test('a cache of twice as many turns takes at most 2.3 times the bytes', async () => {
  const sizes: number[] = []
  for (const turns of [100, 200, 400]) {
    const folder = folderWith()
    await keep(folder, conversation(turns))
    sizes.push(bytesIn(folder))
  }
  const [hundred = 0, two = 0, four = 0] = sizes
  expect(two / hundred).toBeLessThan(2.3)
  expect(four / two).toBeLessThan(2.3)
  expect(four / 400).toBeLessThan(7000)
})

test('every cached call is complete, and its answer is found without its prompt', async () => {
  const folder = folderWith()
  const turns = conversation(20)
  await keep(folder, turns)
  for (const { key, call: asked, answer } of turns) {
    expect(await readKeptCall(folder, key)).toEqual({ kept: { call: asked, answer, error: null }, problems: [] })
    expect(statSync(callFile(folder, key)).size).toBeLessThan(7000)
  }
  rmSync(join(folder, 'shared'), { recursive: true })
  expect(await fileStore(folder).read(turns[19]?.key ?? '')).toMatchObject({ answer: turns[19]?.answer })
  const { kept, problems } = (await readKeptCall(folder, turns[19]?.key ?? '')) ?? {}
  expect(kept).toMatchObject({ answer: { text: turns[19]?.answer.text } })
  expect(problems).toEqual([
    expect.stringMatching(/shared.*\.json: is missing or can't be read/),
    expect.stringMatching(/shared.*\.json: is missing or can't be read/),
  ])
})

test('a short call is one complete file, as in earlier versions', async () => {
  const folder = folderWith()
  const kept = { call: call('m'), answer: answerOf('hello'), error: null }
  await fileStore(folder).write(sha256('short'), kept)
  const [file = '', ...others] = filesIn(folder)
  expect(others).toEqual([])
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(kept)
})

test('a cache of an earlier version, with whole prompts in its files, is used and shown', async () => {
  const folder = folderWith()
  const [turn] = conversation(40).slice(-1)
  const kept = { call: turn?.call, answer: turn?.answer, error: null }
  const file = callFile(folder, turn?.key ?? '')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(kept, null, 1)}\n`)
  expect(await fileStore(folder).read(turn?.key ?? '')).toMatchObject({ answer: kept.answer })
  expect(await readKeptCall(folder, turn?.key ?? '')).toEqual({ kept, problems: [] })
  expect((await takeInventory(folder)).calls).toMatchObject([{ model: 'm', model_id: 'm-2026', links: [] }])
})

test('no key gets into a file, and no link that contains a key breaks', async () => {
  const folder = folderWith()
  const planted = 'sk-planted-0123456789'
  const turns = conversation(12, `use ${planted}`)
  await keep(folder, turns, redactorOf([planted]))
  const texts = filesIn(folder).map(file => readFileSync(file, 'utf8'))
  expect(texts.join('')).not.toContain(planted)
  expect(texts.join('')).toContain('use [key]')
  const link: string = JSON.parse(readFileSync(callFile(folder, turns[11]?.key ?? ''), 'utf8')).earlier
  const other = folderWith()
  await keep(other, turns, redactorOf([planted, link.slice(8, 16)]))
  expect(await readKeptCall(other, turns[11]?.key ?? '')).toMatchObject({ problems: [] })
})

test('a key of digits does not change measured numbers', async () => {
  const folder = folderWith()
  const answer = { ...answerOf('pin 987654'), cost_usd: 0.987654, value: { pin: 987654 } }
  const store = fileStore(folder, redactorOf(['987654']))
  await store.write(sha256('x'), { call: call('m'), answer, error: null })
  expect(await store.read(sha256('x'))).toMatchObject({
    answer: { text: 'pin [key]', cost_usd: 0.987654, value: { pin: '[key]' } },
  })
})

test('a link out of the cache is not followed', async () => {
  const folder = folderWith({ 'secret.json': '{"messages":["secret"]}' })
  const key = sha256('x')
  mkdirSync(dirname(callFile(folder, key)), { recursive: true })
  const kept = { call: call('m'), answer: null, error: null, earlier: '../../secret' }
  writeFileSync(callFile(folder, key), JSON.stringify(kept))
  expect(await readKeptCall(folder, key)).toBeNull()
  expect((await takeInventory(folder)).calls).toMatchObject([{ model: null, links: [] }])
})

test('deletes old answers, and parts that only they used', async () => {
  const folder = folderWith()
  await keep(folder, conversation(12, 'harbours'))
  aged(filesIn(folder), 40 * 24 * hour)
  const old = filesIn(folder)
  const young = conversation(12, 'rivers', 'other')
  await keep(folder, young)
  const inventory = await takeInventory(folder)
  expect(inventory.calls).toHaveLength(24)
  expect(inventory.bytes).toBe(bytesIn(folder))
  const pruning = planPruning(inventory, { older_than_ms: 30 * 24 * hour }, Date.now())
  expect(pruning.calls.map(({ model }) => model)).toEqual(Array(12).fill('m'))
  await prune(pruning)
  expect(bytesIn(folder)).toBe(inventory.bytes - pruning.bytes)
  // The tools are the same in both, and stay for those that need them.
  const tooled = JSON.parse(readFileSync(callFile(folder, young[0]?.key ?? ''), 'utf8')).tools
  expect(old.filter(file => filesIn(folder).includes(file))).toEqual(
    old.filter(file => file.endsWith(`${tooled.slice(2)}.json`)),
  )
  for (const { key, call: asked } of young)
    expect(await readKeptCall(folder, key)).toMatchObject({ kept: { call: asked }, problems: [] })
})

test('deletes the oldest until the size limit is met, down to nothing', async () => {
  const folder = folderWith()
  const turns = conversation(30)
  await keep(folder, turns)
  aged(filesIn(folder), 5 * hour)
  for (const [index, { key }] of turns.entries()) aged([callFile(folder, key)], (100 - index) * hour)
  const before = await takeInventory(folder)
  const half = planPruning(before, { max_bytes: before.bytes / 2 }, Date.now())
  expect(half.calls.map(({ key }) => key)).toEqual(turns.slice(0, half.calls.length).map(({ key }) => key))
  await prune(half)
  expect(bytesIn(folder)).toBeLessThanOrEqual(before.bytes / 2)
  expect(await readKeptCall(folder, turns[29]?.key ?? '')).toMatchObject({ problems: [] })
  await prune(planPruning(await takeInventory(folder), { max_bytes: 0 }, Date.now()))
  expect(filesIn(folder)).toEqual([])
})

test('keeps recently used parts and files being written for an hour', async () => {
  const folder = folderWith()
  await keep(folder, conversation(12))
  const unfinished = `${callFile(folder, sha256('being written'))}.1.1.tmp`
  mkdirSync(dirname(unfinished), { recursive: true })
  writeFileSync(unfinished, 'half')
  await prune(planPruning(await takeInventory(folder), { max_bytes: 0 }, Date.now()))
  const left = await takeInventory(folder)
  expect(left.calls).toEqual([])
  expect(left.shared.size).toBeGreaterThan(1)
  expect(left.unfinished).toHaveLength(1)
  await prune(planPruning(left, { max_bytes: 0 }, Date.now() + 2 * hour))
  expect(filesIn(folder)).toEqual([])
})

test('keeps an answer that was rewritten after it was chosen', async () => {
  const folder = folderWith()
  const turns = conversation(1)
  await keep(folder, turns)
  aged(filesIn(folder), 48 * hour)
  const pruning = planPruning(await takeInventory(folder), { older_than_ms: 24 * hour }, Date.now())
  await keep(folder, turns)
  await prune(pruning)
  expect(await fileStore(folder).read(turns[0]?.key ?? '')).toMatchObject({ answer: { text: turns[0]?.answer.text } })
})

test('processes that use the cache during pruning only have to repeat deleted calls', async () => {
  const folder = folderWith()
  const turns = conversation(60)
  await keep(folder, turns)
  let isDone = false
  const pruner = (async () => {
    while (!isDone) await prune(planPruning(await takeInventory(folder), { max_bytes: 0 }, Date.now()))
  })()
  const store = fileStore(folder)
  for (const { key, call: asked, answer } of turns) {
    const found = await store.read(key)
    expect([null, answer.text]).toContain(found === null ? null : found.answer?.text)
    await store.write(key, { call: asked, answer, error: null })
  }
  isDone = true
  await pruner
  await keep(folder, turns)
  for (const { key } of turns) expect(await readKeptCall(folder, key)).toMatchObject({ problems: [] })
})
