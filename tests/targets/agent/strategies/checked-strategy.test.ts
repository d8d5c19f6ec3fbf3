import { describe, expect, it } from 'vitest'
import { checkedStrategy, StrategyError } from '../../../../src/targets/agent/strategies/checked-strategy.ts'
import type { Strategy } from '../../../../src/targets/agent/strategies/strategy.ts'
import { historyOf } from './histories.ts'

const turns = (count: number) => Array.from({ length: count }, (_, at) => ({ says: `look ${at}`, outputs: [`${at}`] }))

/** A custom strategy whose next() returns anything. */
function strategyWith(next: (...given: Parameters<Strategy['next']>) => unknown): Strategy {
  const own: Strategy = { name: 'mine', start: () => 0, next: (...given) => Object(next(...given)) }
  return checkedStrategy(own, 'mine', './mine.mjs') as Strategy
}

const answerOf = (next: Parameters<typeof strategyWith>[0], count = 3) => {
  const strategy = strategyWith(next)
  return strategy.next(historyOf(turns(count)), strategy.start())
}

describe('the answers of a custom strategy', () => {
  it('are used unchanged if valid', () => {
    const { prompt } = answerOf(({ opening, turns }, state) => ({
      prompt: [{ from: 0, to: opening }, { message: { role: 'user', content: 'Be brief.' } }, ...turns.slice(-1)],
      state,
    }))
    expect(prompt).toEqual([
      { from: 0, to: 2 },
      { message: { role: 'user', content: 'Be brief.' } },
      { from: 6, to: 8 },
    ])
  })

  it.each([
    ['nothing', () => ({}), /one of both, prompt or summarise/],
    ['no list', () => ({ prompt: 7 }), /prompt: expected a list of parts/],
    ['an empty prompt', () => ({ prompt: [] }), /at least one part/],
    ['half a range', () => ({ prompt: [{ from: 0 }] }), /prompt\.0: expected \{ from, to \}/],
    ['messages that are not there', () => ({ prompt: [{ from: 0, to: 99 }] }), /messages 0 to 99: there are 8/],
    ['a summary that is not there', () => ({ prompt: [{ summary: 0 }] }), /summary 0: there are 0/],
    ['a call without its result', () => ({ prompt: [{ from: 0, to: 3 }] }), /the call \S+ without its result/],
    [
      'a result without its call',
      () => ({ prompt: [{ from: 3, to: 4 }] }),
      /the result of the call \S+ without that call/,
    ],
    [
      'a summary of no turns',
      () => ({ summarise: { from: 2, to: 9, ask: null, textOf: () => '' } }),
      /turns 2 to 9: there are 3/,
    ],
    ['a promise', () => Promise.resolve({}), /returns a promise/],
    [
      'an error',
      () => {
        throw new Error('boom')
      },
      /failed in next\(\) after 3 turns: boom/,
    ],
  ])('are refused: %s', (_, next, message) => {
    expect(() => answerOf(next)).toThrow(StrategyError)
    expect(() => answerOf(next)).toThrow(message)
  })

  it('end endless requests for summaries, with or without a model', () => {
    const strategy = strategyWith((_, state) => ({
      summarise: { from: 0, to: 1, ask: null, textOf: () => 'x' },
      state,
    }))
    const history = historyOf(turns(3))
    let state = strategy.start()
    const ask = (): void => {
      state = strategy.next(history, state).state
    }
    for (let count = 0; count <= 3; count++) ask()
    expect(ask).toThrow(/asks for a summary again and again/)
  })

  it('are refused if the text of a summary is invalid', () => {
    const next = answerOf((_, state) => ({ summarise: { from: 0, to: 1, ask: null, textOf: () => 7 }, state }))
    expect(() => next.summarise?.textOf(null)).toThrow(/no text from textOf\(\), but number/)
  })
})
