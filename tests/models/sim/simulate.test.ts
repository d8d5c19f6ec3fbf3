import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod'
import type { ModelSetting, SimRule } from '../../../src/define/models/model-settings.ts'
import type { Message } from '../../../src/models/model-call.ts'
import { jsonForSchema } from '../../../src/models/sim/schema/json-for-schema.ts'
import type { SimCall } from '../../../src/models/sim/sim-call.ts'
import { simulate } from '../../../src/models/sim/simulate.ts'
import { seededRandom } from '../../../src/util/random.ts'
import { expectShare } from '../../stats/close.ts'

const asked = (content: string, more: Partial<SimCall> = {}): SimCall => ({
  model: 'sim/x',
  messages: [{ role: 'user', content }],
  purpose: 'answer',
  max_output_tokens: 1000,
  seed: 1,
  tries: 1,
  ...more,
})

const answer = (rules: readonly SimRule[], call: SimCall = asked('hello'), more: ModelSetting = {}): string =>
  simulate(call, { rules, ...more }).text

test('the first rule that fits answers', () => {
  const rules: SimRule[] = [
    { contains: ['DUES', 'harbour'], answer: 'both' },
    { contains: ['dues'], answer: 'dues' },
    { matches: 'offer (?<price>\\d+) (eur|usd)', answer: 'I take {price} {2}' },
    { turn: 2, answer: 'second turn' },
    { purpose: 'judge', answer: 'judged' },
    { answer: 'anything else' },
  ]
  expect(answer(rules, asked('Harbour dues?'))).toBe('both')
  expect(answer(rules, asked('the dues'))).toBe('dues')
  expect(answer(rules, asked('We offer 120 EUR.'))).toBe('I take 120 EUR')
  expect(answer(rules, asked('so?', { purpose: 'judge' }))).toBe('judged')
  expect(answer(rules)).toBe('anything else')
  const talk: Message[] = [
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'user', content: 'c' },
  ]
  expect(answer(rules, asked('', { messages: talk }))).toBe('second turn')
})

test('rules look where they are told to', () => {
  const messages: Message[] = [
    { role: 'system', content: 'You are the port.' },
    { role: 'user', content: 'first' },
    { role: 'assistant', content: '', tool_calls: [{ id: '1', name: 'look', arguments: { at: 'ships' } }] },
    { role: 'tool', tool_call_id: '1', name: 'look', content: 'three ships' },
  ]
  const found = (rule: SimRule): boolean =>
    answer([{ ...rule, answer: 'yes' }, { answer: 'no' }], asked('', { messages })) === 'yes'
  expect(found({ contains: ['three'] })).toBe(true)
  expect(found({ contains: ['first'] })).toBe(false)
  expect(found({ contains: ['first'], in: 'user' })).toBe(true)
  expect(found({ contains: ['port'], in: 'system' })).toBe(true)
  expect(found({ contains: ['port', 'look', 'first'], in: 'any' })).toBe(true)
})

test('answers are filled in, and other braces stay', () => {
  expect(answer([{ answer: 'You said "{last}" on turn {turn}: {"a": 1} {unknown}' }])).toBe(
    'You said "hello" on turn 1: {"a": 1} {unknown}',
  )
  const drawn = answer([{ answer: '{integer 3..5} {number 0..1} {one_of yes|no}' }])
  expect(drawn).toMatch(/^[345] (0|1|0\.\d+) (yes|no)$/)
  expect(answer([{ json: { score: '{integer 1..3}', why: 'because {last}', list: ['{turn}'] } }])).toMatch(
    /^\{"score":[123],"why":"because hello","list":\["1"\]\}$/,
  )
})

test('a rule may call a tool', () => {
  const rules: SimRule[] = [{ matches: 'list (\\S+)', tool: { name: 'bash', arguments: { command: 'ls {1}' } } }]
  const tools = [{ name: 'bash', description: '', parameters: {} }]
  const { tool_calls, finish } = simulate(asked('list src', { tools }), { rules })
  expect(finish).toBe('tool_calls')
  expect(tool_calls).toMatchObject([{ name: 'bash', arguments: { command: 'ls src' } }])
})

test('the same question with the same seed has the same answer, in whatever order questions come', () => {
  const setting: ModelSetting = {
    rules: [{ chance: 0.5, one_of: ['a', 'b', 'c', 'd'] }, { answer: '{integer 1..1000}' }],
    tokens: { reasoning: 50, spread: 0.5 },
    failures: { rate_limited: 0.2, empty: 0.2 },
  }
  const calls = Array.from({ length: 50 }, (_, index) => asked(`question ${index}`))
  const forwards = calls.map(call => simulate(call, setting))
  const backwards = [...calls].reverse().map(call => simulate(call, setting))
  expect([...backwards].reverse()).toEqual(forwards)
  const others = calls.map(call => simulate({ ...call, seed: 2 }, setting))
  expect(others).not.toEqual(forwards)
})

test('chances and failures come about as often as declared; another try is another draw of the failure alone', () => {
  const setting: ModelSetting = {
    rules: [{ chance: 0.8, answer: 'right' }, { answer: 'wrong' }],
    failures: { rate_limited: 0.1, server_error: 0.05 },
  }
  const made = Array.from({ length: 4000 }, (_, index) => simulate(asked(`q${index}`), setting))
  const share = (is: (one: (typeof made)[number]) => boolean): number => made.filter(is).length / made.length
  expectShare(
    share(({ text }) => text === 'right'),
    0.8,
    4000,
  )
  expectShare(
    share(({ fault }) => fault === 'rate_limited'),
    0.1,
    4000,
  )
  expectShare(
    share(({ fault }) => fault === 'server_error'),
    0.05,
    4000,
  )
  const again = made.map((_, index) => simulate(asked(`q${index}`, { tries: 2 }), setting))
  expect(again.map(({ text }) => text)).toEqual(made.map(({ text }) => text))
  expect(again.map(({ fault }) => fault)).not.toEqual(made.map(({ fault }) => fault))
})

test('sizes are as declared, and no answer is longer than it may be', () => {
  fc.assert(
    fc.property(
      fc.record({
        output: fc.integer({ min: 0, max: 3000 }),
        reasoning: fc.integer({ min: 0, max: 500 }),
        cached: fc.double({ min: 0, max: 1, noNaN: true }),
        spread: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      fc.integer({ min: 1, max: 2000 }),
      fc.integer(),
      (tokens, max_output_tokens, seed) => {
        const { usage, text, finish } = simulate(asked('hello', { max_output_tokens, seed }), { tokens })
        expect(usage.output_tokens).toBeLessThanOrEqual(max_output_tokens)
        expect(usage.reasoning_tokens).toBeLessThanOrEqual(usage.output_tokens)
        expect(usage.cached_input_tokens).toBeLessThanOrEqual(usage.input_tokens)
        if (finish === 'length') expect(text.length).toBeLessThanOrEqual(max_output_tokens * 4)
        else
          expect(usage.output_tokens).toBeLessThanOrEqual(
            Math.ceil((tokens.output + tokens.reasoning) * (1 + tokens.spread)) + 2,
          )
      },
    ),
  )
})

test('a prompt that is too long for its context is refused', () => {
  expect(simulate(asked('word '.repeat(100)), { context: 50 }).fault).toBe('context_too_long')
  expect(simulate(asked('word'), { context: 50 }).fault).toBeNull()
})

test('where a schema is given and no rule fits, the answer satisfies it', () => {
  const leaf = fc.constantFrom<Record<string, unknown>>(
    { type: 'integer', minimum: 3, maximum: 9 },
    { type: 'number', exclusiveMinimum: 0, maximum: 1 },
    { type: 'string', minLength: 3, maxLength: 12 },
    { type: 'boolean' },
    { enum: ['yes', 'no', 'perhaps'] },
    { const: 7 },
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  )
  const schemas = fc.letrec<{ node: Record<string, unknown> }>(tie => ({
    node: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constant('array'), items: tie('node'), minItems: fc.integer({ min: 0, max: 3 }) }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('node'), { minKeys: 1 }).map(properties => ({
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      })),
    ),
  })).node
  fc.assert(
    fc.property(schemas, fc.integer(), (schema, seed) => {
      const value = jsonForSchema(JSON.parse(JSON.stringify(schema)), seededRandom(seed))
      expect(z.fromJSONSchema(schema).safeParse(value).error?.issues).toBeUndefined()
    }),
  )
})
