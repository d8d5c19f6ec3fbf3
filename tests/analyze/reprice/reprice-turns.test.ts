import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CacheRule, cacheRuleOf, everyPrefix } from '../../../src/analyze/reprice/cache-rule.ts'
import { repriceTurns } from '../../../src/analyze/reprice/reprice-turns.ts'
import type { Message, Usage } from '../../../src/models/model-call.ts'
import { renderPrompt } from '../../../src/models/trajectory/trajectory.ts'
import { builtInStrategy, type StrategyName, strategyNames } from '../../../src/targets/agent/strategies/registry.ts'
import type { Strategy } from '../../../src/targets/agent/strategies/strategy.ts'
import { joinTrajectories } from '../../../src/targets/agent/trajectory-of.ts'
import type { JsonObject } from '../../../src/util/json.ts'
import { type PlannedTurn, plannedTurns, played } from '../../targets/agent/strategies/histories.ts'
import { trajectoryOf } from './trajectories.ts'

const never = (): never => {
  throw new Error('there is none')
}

const sizeOf = ({ content, role }: Message): number => role.length + String(content).length

const made = (name: StrategyName, params: JsonObject): Strategy => {
  const choice = builtInStrategy(name, params)
  if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
  return choice.strategy
}

/** $1 for a token that is new, 10 cents for one that was cached, $5 for one of the answer. */
const cost = ({ input_tokens, cached_input_tokens, output_tokens }: Usage): number =>
  input_tokens - 0.9 * cached_input_tokens + 5 * output_tokens

const repricing = (strategy: Strategy, cache: CacheRule = everyPrefix) => ({
  strategy,
  sizeOf,
  overhead: 7,
  cache,
  cost,
  summaryCost: cost,
  summaryTokens: 9,
  usesRecordedSummaries: false,
  context: null,
})

/** On whole lists of messages, each compared as text with the one before. */
function straightforward(strategy: Strategy, planned: readonly PlannedTurn[]): readonly Partial<Usage>[] {
  let before: readonly string[] | null = null
  return played(strategy, planned)
    .slice(0, planned.length)
    .map(({ prompt, history }) => {
      // As long as the assumed summaries, whatever their text.
      const summaries = history.summaries.map(({ text }) => ({ text: text.replace(/summary \d+$/, '.'.repeat(9)) }))
      const messages = renderPrompt(prompt, history.messages, summaries)
      const input = 7 + messages.reduce((sum, message) => sum + sizeOf(message), 0)
      const texts = messages.map((message, at) => JSON.stringify([message, 'summary' in (prompt[1] ?? {}) && at === 2]))
      const first = before
      const differ = first === null ? 0 : texts.findIndex((text, at) => text !== first[at])
      const alike = first === null ? 0 : differ === -1 ? texts.length : differ
      const whole = messages.slice(0, alike).reduce((sum, message) => sum + sizeOf(message), 0)
      // The overhead of the first different message is equal if its role is.
      const next = first?.[alike] === undefined ? undefined : (JSON.parse(first[alike]) as [Message])[0]
      const wrapped = next?.role === messages[alike]?.role && next !== undefined ? sizeOf({ ...next, content: '' }) : 0
      const cached = first === null ? 0 : 7 + whole + wrapped
      before = texts
      return { input_tokens: input, cached_input_tokens: cached }
    })
}

describe.each(strategyNames)('%s', name => {
  it('counts prompts and caches turn by turn like a straightforward computation', () => {
    const params = fc.record({
      hp_obs_n: fc.integer({ min: 1, max: 4 }),
      hp_obs_polling: fc.integer({ min: 1, max: 3 }),
      hp_sum_n: fc.integer({ min: 2, max: 5 }),
      hp_sum_keep_m: fc.integer({ min: 0, max: 1 }),
    })
    fc.assert(
      fc.property(plannedTurns(20), params, (planned, settings) => {
        const tidy = planned.map(turn => ({ ...turn, isAskedAgain: false }))
        const { turns } = repriceTurns(trajectoryOf(tidy), repricing(made(name, settings)))
        const counted = turns.map(({ usage: { input_tokens, cached_input_tokens } }) => ({
          input_tokens,
          cached_input_tokens,
        }))
        const expected = straightforward(made(name, { ...settings }), tidy)
        if (name === 'raw' || name === 'observation_masking') expect(counted).toEqual(expected)
        // A summary that replaces another begins like it, which message by message is another message.
        else expect(counted.map(one => one.input_tokens)).toEqual(expected.map(one => one.input_tokens))
      }),
      { numRuns: 80 },
    )
  })
})

it('prices every turn and every summary', () => {
  const planned = Array.from({ length: 5 }, (_, at) => ({ says: `turn ${at}`, outputs: ['x'.repeat(100)] }))
  const strategy = made('llm_summary', { hp_sum_n: 2, hp_sum_keep_m: 1 })
  const { turns } = repriceTurns(trajectoryOf(planned), repricing(strategy, { kind: 'none' }))
  expect(turns.map(({ summaries }) => summaries)).toEqual([0, 0, 0, 1, 0])
  for (const { usage, cost_usd } of turns) expect(cost_usd).toBe(cost(usage))
  const asked = strategy.next(
    {
      messages: trajectoryOf(planned).history,
      opening: 2,
      turns: [2, 4, 6].map(from => ({ from, to: from + 2 })),
      summaries: [],
    },
    null,
  )
  const input = asked.summarise?.ask?.reduce((sum, message) => sum + sizeOf(message), 0) ?? 0
  expect(turns[3]?.summary_cost_usd).toBe(input + 5 * 9)
})

it('stops at a prompt that does not fit', () => {
  const planned = Array.from({ length: 6 }, () => ({ says: '', outputs: ['x'.repeat(96)] }))
  const { turns, overflows_at } = repriceTurns(trajectoryOf(planned), { ...repricing(made('raw', {})), context: 300 })
  expect(overflows_at).toBe(4)
  expect(turns).toHaveLength(3)
})

it('includes an unusable answer and the follow-up question in the next prompt', () => {
  const planned = [
    { says: 'a', outputs: ['b'] },
    { says: 'c', outputs: ['d'], isAskedAgain: true },
  ]
  const { turns } = repriceTurns(trajectoryOf(planned), repricing(made('raw', {})))
  const [, unusable, again] = turns.map(({ usage }) => usage.input_tokens)
  expect(turns).toHaveLength(3)
  const added = sizeOf({ role: 'assistant', content: 'hm' }) + sizeOf({ role: 'user', content: 'Call a tool, please.' })
  expect(again).toBe((unusable ?? 0) + added)
})

it('starts over at each step of a task, like the recorded prompts', () => {
  const steps = [3, 2].map(count =>
    trajectoryOf(
      Array.from({ length: count }, (_, at) => ({ says: `do ${at}`, outputs: ['x'.repeat(10 * (at + 1))] })),
    ),
  )
  const joined = joinTrajectories(steps, steps[0]?.totals ?? never())
  const alone = steps.map(step => repriceTurns(step, repricing(made('raw', {}))).turns)
  const { turns } = repriceTurns(joined ?? never(), repricing(made('raw', {})))
  expect(turns.map(({ usage }) => usage.input_tokens)).toEqual(alone.flat().map(({ usage }) => usage.input_tokens))
  // The common beginning of both steps is cached: here they have the same instruction, too.
  expect(turns.map(({ usage }) => usage.cached_input_tokens).slice(3, 4)).toEqual([turns[0]?.usage.input_tokens])
})

it('includes user messages between two turns', () => {
  const { history, turns, ...rest } = trajectoryOf([
    { says: 'a', outputs: ['b'] },
    { says: 'c', outputs: ['d'] },
  ])
  const word: Message = { role: 'user', content: 'Hurry up!' }
  const later = turns.map(turn => (turn.from === 2 ? turn : { ...turn, from: turn.from + 1, to: turn.to + 1 }))
  const interrupted = { ...rest, history: history.toSpliced(4, 0, word), turns: later }
  const inputs = [{ ...rest, history, turns }, interrupted].map(
    one => repriceTurns(one, repricing(made('raw', {}))).turns[1]?.usage.input_tokens ?? 0,
  )
  expect(inputs[1]).toBe((inputs[0] ?? 0) + sizeOf(word))
})

describe('rules of caches', () => {
  const long = [
    { says: '', outputs: ['x'.repeat(3000)] },
    { says: '', outputs: ['y'.repeat(1000)] },
    { says: '', outputs: ['z'] },
  ]
  const cachedBy = (cache: CacheRule) =>
    repriceTurns(trajectoryOf(long), repricing(made('raw', {}), cache)).turns.map(
      ({ usage: { cached_input_tokens: read, cache_write_tokens: write } }) => ({ read, write }),
    )

  it('reads whole steps of long prompts at OpenAI', () => {
    const [first, second, third] = cachedBy(cacheRuleOf('openai') ?? everyPrefix)
    expect([first?.read, second?.read]).toEqual([0, 0])
    expect((third?.read ?? 1) % 128).toBe(0)
    expect(third?.read).toBeGreaterThan(3000 - 128)
  })

  it('writes new parts to Anthropic’s cache', () => {
    const [first, , third] = cachedBy(cacheRuleOf('anthropic') ?? everyPrefix)
    expect(first).toEqual({ read: 0, write: 0 })
    expect((third?.write ?? 0) + (third?.read ?? 0)).toBeGreaterThan(4000)
  })

  it('reads nothing without a cache', () => {
    expect(cachedBy({ kind: 'none' })).toEqual([0, 1, 2].map(() => ({ read: 0, write: 0 })))
  })
})
