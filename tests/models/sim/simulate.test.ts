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

test('the first matching rule answers', () => {
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

test('a rule that begins with .* finds the last match, in a long prompt too', () => {
  const rules: SimRule[] = [
    { matches: '.*bids (?<bid>\\d+).*asks (?<ask>\\d+).*signed', answer: 'signed' },
    { matches: '.*bids (?<bid>\\d+).*asks (?<ask>\\d+)', answer: '{bid} {ask}' },
  ]
  const turns = Array.from(
    { length: 60 },
    (_, n) => `The line bids ${n}. ${'Ships wait. '.repeat(10)}It asks ${n + 5}.`,
  )
  expect(answer(rules, asked(turns.join('\n')))).toBe('59 64')
})

test('rules search the given messages', () => {
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

test('fills placeholders in answers, and keeps other braces', () => {
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

const offered = ['bash', 'read'].map(name => ({
  name,
  description: '',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}))
const bash = (command: string): { name: string; arguments: { command: string } } => ({
  name: 'bash',
  arguments: { command },
})

test('one answer may have thoughts, a text and several calls with their own ids', () => {
  const rules: SimRule[] = [{ reasoning: 'both of {last}', answer: 'I look.', tools: [bash('ls'), bash('pwd')] }]
  const said = simulate(asked('it', { tools: offered }), { rules })
  expect(said).toMatchObject({
    reasoning: 'both of it',
    text: 'I look.',
    tool_calls: [bash('ls'), bash('pwd')],
    finish: 'tool_calls',
  })
  expect(new Set(said.tool_calls.map(({ id }) => id)).size).toBe(2)
  expect(said.usage.reasoning_tokens).toBe(3)
  expect(simulate(asked('it', { tools: offered, thinks: false }), { rules })).toMatchObject({
    reasoning: '',
    usage: { reasoning_tokens: 0 },
  })
})

test('a script answers turn by turn, and then the next rule does', () => {
  const rules: SimRule[] = [{ script: [{ answer: 'one' }, { tool: bash('ls') }] }, { answer: 'done' }]
  const messages: Message[] = [{ role: 'user', content: 'go' }]
  const said: string[] = []
  for (let turn = 1; turn <= 3; turn++) {
    const { text, tool_calls } = simulate(asked('', { messages: [...messages], tools: offered }), { rules })
    said.push(text || tool_calls.map(({ name }) => name).join())
    messages.push({ role: 'assistant', content: text }, { role: 'user', content: 'on' })
  }
  expect(said).toEqual(['one', 'bash', 'done'])
})

test('rules match tool results, offered tools and the try', () => {
  const rules: SimRule[] = [
    { try: 1, contains: ['flaky'], in: 'user', fail: 'server_error' },
    { after: 'bash', matches: '(\\d+) failed', in: 'tool', answer: 'mend {1}' },
    { after: 'bash', answer: 'it brought {result}' },
    { offers: 'bash', tool: bash('make test') },
    { answer: 'nothing to do it with' },
  ]
  const after = (content: string): SimCall =>
    asked('', {
      messages: [
        { role: 'user', content: 'old: 9 failed' },
        { role: 'assistant', content: '', tool_calls: [{ id: '1', ...bash('make test') }] },
        { role: 'tool', tool_call_id: '1', name: 'bash', content },
        { role: 'user', content: 'a reminder' },
      ],
      tools: offered,
    })
  expect(answer(rules)).toBe('nothing to do it with')
  expect(simulate(asked('go', { tools: offered }), { rules }).tool_calls).toMatchObject([bash('make test')])
  expect(answer(rules, after('3 failed'))).toBe('mend 3')
  expect(answer(rules, after('all good'))).toBe('it brought all good')
  expect(simulate(asked('flaky'), { rules }).fault).toBe('server_error')
  expect(simulate(asked('flaky', { tries: 2 }), { rules }).fault).toBeNull()
})

test('a rule that calls a tool not offered is refused by name', () => {
  const rules: SimRule[] = [{ tool: { name: 'bsah', arguments: {} } }]
  expect(() => simulate(asked('x', { tools: offered }), { rules })).toThrow(
    'calls the tool bsah, which the call does not offer (offered: bash, read)',
  )
})

test('obeys tool_choice and parallel_tool_calls', () => {
  const rules: SimRule[] = [{ contains: ['two'], answer: 'both', tools: [bash('a'), bash('b')] }, { answer: 'words' }]
  const said = (content: string, more: Partial<SimCall>): [string, readonly string[]] => {
    const { text, tool_calls } = simulate(asked(content, { tools: offered, ...more }), { rules })
    return [text, tool_calls.map(call => `${call.name} ${Object.values(call.arguments)}`)]
  }
  expect(said('two', {})).toEqual(['both', ['bash a', 'bash b']])
  expect(said('two', { parallel_tool_calls: false })).toEqual(['both', ['bash a']])
  expect(said('two', { tool_choice: 'none' })).toEqual(['both', []])
  expect(said('two', { tool_choice: 'required' })).toEqual(['', ['bash a', 'bash b']])
  expect(said('x', { tool_choice: 'required' })).toEqual(['', ['bash simulated']])
  expect(said('x', { tool_choice: { tool: 'read' } })).toEqual(['', ['read simulated']])
  expect(() => said('x', { tool_choice: { tool: 'fly' } })).toThrow('fly, which the call does not offer')
})

test('a stop sequence ends the text before it', () => {
  const rules: SimRule[] = [{ answer: 'one, two; three', tool: bash('ls') }]
  const said = simulate(asked('x', { tools: offered, stop: [';', ','] }), { rules })
  expect(said).toMatchObject({ text: 'one', stopped_by: ',', tool_calls: [], finish: 'stop' })
  expect(simulate(asked('x', { tools: offered, stop: ['!'] }), { rules }).stopped_by).toBeNull()
})

test('a call that does not fit into the answer as a whole is left out', () => {
  const rules: SimRule[] = [{ tools: [bash('ls'), bash('x'.repeat(400))] }]
  const said = simulate(asked('x', { tools: offered, max_output_tokens: 60 }), { rules })
  expect(said.finish).toBe('length')
  expect(said.tool_calls).toMatchObject([bash('ls')])
  expect(said.usage.output_tokens).toBe(60)
})

test('the same question with the same seed has the same answer, in any order', () => {
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

test('refuses a prompt too long for its context', () => {
  expect(simulate(asked('word '.repeat(100)), { context: 50 }).fault).toBe('context_too_long')
  expect(simulate(asked('word'), { context: 50 }).fault).toBeNull()
})

test('without a matching rule, the answer satisfies the schema', () => {
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
