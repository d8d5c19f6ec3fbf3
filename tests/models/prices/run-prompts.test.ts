import { expect, test } from 'vitest'
import type { ModelSetting } from '../../../src/define/models/model-settings.ts'
import type { Message, ModelCall, Usage } from '../../../src/models/model-call.ts'
import { modelFacts } from '../../../src/models/model-facts.ts'
import { openModels } from '../../../src/models/open-models.ts'
import { folderWith } from '../../support/assay.ts'
import { CountedPermits, call, calm, virtualClock } from '../support.ts'

const price = [{ above: 0, input: 1, cached_input: 0.1, cache_write: 1.25, output: 4 }]
const setting: ModelSetting = { price, tokens: { cached: 'prefix' }, rules: [{ answer: 'yes' }] }
/** Messages of 400 tokens each, all of them different. */
const message = (number: number, role: 'user' | 'assistant' = 'user'): Message => ({
  role,
  content: `${number} ${'word '.repeat(319)}`,
})
const history = (length: number): readonly Message[] =>
  Array.from({ length }, (_, at) => message(at, at % 2 === 0 ? 'user' : 'assistant'))

function start(own: ModelSetting = setting, folder?: string) {
  const models = openModels({ env: {}, settings: { 'sim/a': own, 'sim/b': own }, clock: virtualClock() })
  const keeping = folder === undefined ? null : ({ folder, mode: 'cache', scope: {} } as const)
  const client = models.client({ permits: new CountedPermits(), seed: 1, keeping })
  return async (messages: readonly Message[], more: Partial<ModelCall> = {}) =>
    client.call(call('sim/a', { messages, ...more }), calm())
}

const cachedIn = async (answer: Promise<{ readonly usage: Usage }>): Promise<number> =>
  (await answer).usage.cached_input_tokens

test('a prompt with an earlier prefix of the run is cached and priced in steps of 128 tokens', async () => {
  const ask = start()
  const first = await ask(history(5))
  expect(first.usage.cached_input_tokens).toBe(0)
  const second = await ask(history(7))
  const { input_tokens, cached_input_tokens, output_tokens } = second.usage
  expect(cached_input_tokens).toBeGreaterThan(1800)
  expect(cached_input_tokens).toBeLessThanOrEqual(first.usage.input_tokens)
  expect(cached_input_tokens % 128).toBe(0)
  const usd = ((input_tokens - cached_input_tokens) * 1 + cached_input_tokens * 0.1 + output_tokens * 4) / 1e6
  expect(second.cost_usd).toBeCloseTo(usd, 12)
})

test('a masked message ends the cached prefix; short prompts, other models and other runs share nothing', async () => {
  const ask = start()
  await ask(history(9))
  const masked = history(11).map((one, at): Message => (at === 4 ? { role: 'user', content: 'omitted' } : one))
  const cached = await cachedIn(ask(masked))
  expect(cached).toBeGreaterThan(1024)
  expect(cached).toBeLessThanOrEqual(4 * 410)
  const early = history(11).map((one, at): Message => (at === 0 ? { role: 'user', content: 'omitted' } : one))
  expect(await cachedIn(ask(early))).toBe(0)
  expect(await cachedIn(ask(history(11), { model: 'sim/b' }))).toBe(0)
  expect(await cachedIn(start()(history(11)))).toBe(0)
  const short = start()
  await short(history(2))
  expect(await cachedIn(short(history(2)))).toBe(0)
})

test('a refused try caches nothing', async () => {
  const refusedOnce: ModelSetting = { ...setting, rules: [{ try: 1, fail: 'rate_limited' }, { answer: 'yes' }] }
  const { usage, tries } = await start(refusedOnce)(history(9))
  expect(tries).toBe(2)
  expect(usage.cached_input_tokens).toBe(0)
})

test('a cached answer counts as requested, so that a resumed run has the same usage as an uninterrupted one', async () => {
  const folder = folderWith()
  const unbroken = start(setting, folder)
  await unbroken(history(9))
  const expected = (await unbroken(history(11))).usage
  const resumed = start(setting, folder)
  expect((await resumed(history(9))).is_cached).toBe(true)
  // At another temperature, so that this one is not kept.
  const again = await resumed(history(11), { temperature: 0.5 })
  expect(again.usage).toEqual(expected)
})

test('with cached: marked, the prompt is written and read up to its marks', async () => {
  const marked: ModelSetting = { ...setting, tokens: { cached: 'marked' } }
  const ask = start(marked)
  const withMark = (length: number): readonly Message[] =>
    history(length).map((one, at) => (at === length - 1 ? { ...one, cache: '5m' } : one))
  const first = await ask(withMark(5))
  expect(first.usage.cache_write_tokens).toBeGreaterThan(1900)
  expect(first.cost_usd).toBeGreaterThan((first.usage.input_tokens * 1.2) / 1e6)
  const second = await ask(withMark(7))
  expect(second.usage.cached_input_tokens).toBe(first.usage.cache_write_tokens)
  expect(second.usage.cache_write_tokens).toBeGreaterThan(700)
  expect((await ask(history(9))).usage).toMatchObject({ cached_input_tokens: 0, cache_write_tokens: 0 })
  const lookup = { settings: { 'sim/a': setting, 'sim/b': marked }, env: {} }
  expect((await modelFacts('sim/a', lookup)).takes_cache_marks).toBe(false)
  expect((await modelFacts('sim/b', lookup)).takes_cache_marks).toBe(true)
})
