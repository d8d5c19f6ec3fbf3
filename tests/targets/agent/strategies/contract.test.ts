import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderPrompt } from '../../../../src/models/trajectory/trajectory.ts'
import { builtInStrategy, strategyNames } from '../../../../src/targets/agent/strategies/registry.ts'
import type { Strategy } from '../../../../src/targets/agent/strategies/strategy.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { type Asked, historyOf, plannedTurns, played } from './histories.ts'

const settings: readonly JsonObject[] = [
  {},
  { hp_obs_n: 1, hp_sum_n: 3, hp_sum_keep_m: 0 },
  { hp_obs_n: 2, hp_obs_polling: 3, hp_sum_n: 4, hp_sum_keep_m: 2, hp_sum_static_checkpoint: false },
  { hp_obs_n: 3, hp_obs_keep: 'cmd 1', hp_obs_remove: 'cmd 2', hp_sum_n: 2, hp_sum_keep_m: 1, hp_sum_omit_turns: true },
  { hp_sum_n: 3, hp_sum_keep_m: 1, hp_sum_static_checkpoint: 'legacy', hp_sum_extract_actions: true },
]

const cases = strategyNames.flatMap(name => settings.map(params => ({ name, params })))

const made = (name: (typeof strategyNames)[number], params: JsonObject): Strategy => {
  const choice = builtInStrategy(name, params)
  if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
  return choice.strategy
}

describe.each(cases)('$name with $params', ({ name, params }) => {
  const strategy = made(name, params)
  const holds = (check: (asked: Asked) => void) =>
    fc.assert(
      fc.property(plannedTurns(14), planned => {
        for (const asked of played(strategy, planned)) check(asked)
      }),
      { numRuns: 25 },
    )

  it('starts every prompt with the unchanged system prompt and instruction', () => {
    holds(({ history, prompt }) => {
      expect(renderPrompt(prompt, history.messages, history.summaries).slice(0, 2)).toEqual(
        history.messages.slice(0, 2),
      )
    })
  })

  it('keeps the order of the history and shows no message twice', () => {
    holds(({ prompt }) => {
      const places = prompt.flatMap(part => ('from' in part ? range(part.from, part.to) : []))
      expect(places).toEqual([...new Set(places)].sort((a, b) => a - b))
    })
  })

  it('never separates a call from its result', () => {
    holds(({ history, prompt }) => {
      const messages = renderPrompt(prompt, history.messages, history.summaries)
      const called = messages.flatMap(message =>
        message.role === 'assistant' ? (message.tool_calls ?? []).map(({ id }) => id) : [],
      )
      const answered = messages.flatMap(message => (message.role === 'tool' ? [message.tool_call_id] : []))
      expect(answered).toEqual(called)
    })
  })

  it('omits no turn that is not in a summary', () => {
    holds(({ history, prompt }) => {
      const done = history.summaries.at(-1)?.to ?? 0
      const shown = new Set(prompt.flatMap(part => ('from' in part ? range(part.from, part.to) : [])))
      for (const { from, to } of history.turns.slice(done))
        expect(range(from, to).every(at => shown.has(at))).toBe(true)
    })
  })

  it('shows every answer of the agent verbatim', () => {
    holds(({ history, prompt }) => {
      const answers = (messages: typeof history.messages) => messages.filter(({ role }) => role === 'assistant')
      const places = prompt.flatMap(part => ('from' in part ? range(part.from, part.to) : []))
      const parts = prompt.filter(part => 'from' in part)
      expect(answers(renderPrompt(parts, history.messages, []))).toEqual(
        answers(places.flatMap(at => history.messages[at] ?? [])),
      )
    })
  })

  it('leaves out unusable answers', () => {
    holds(({ history, prompt }) => {
      const shown = renderPrompt(prompt, history.messages, history.summaries)
      expect(shown.filter(({ content }) => content === 'Call a tool, please.')).toEqual([])
    })
  })
})

it.each(['raw', 'observation_masking', 'llm_summary', 'hybrid'] as const)(
  '%s describes the prompt of a long history in a few parts',
  name => {
    const planned = Array.from({ length: 400 }, (_, at) => ({ says: `turn ${at}`, outputs: ['a\nb\n'] }))
    const most = Math.max(...played(made(name, {}), planned).map(({ prompt }) => prompt.length))
    expect(most).toBeLessThanOrEqual(4)
  },
)

it('requests no summary at the start', () => {
  const history = historyOf([])
  for (const name of strategyNames) {
    const strategy = made(name, {})
    const next = strategy.next(history, strategy.start())
    expect(next.prompt).toEqual([{ from: 0, to: 2 }])
  }
})

const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, at) => from + at)
