import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../src/models/model-call.ts'
import { readMiniSweAgent } from '../../../src/models/trajectory/read-mini-swe-agent.ts'
import { readSweAgent } from '../../../src/models/trajectory/read-swe-agent.ts'
import { renderPrompt } from '../../../src/models/trajectory/trajectory.ts'
import { builtInStrategy, strategyNames } from '../../../src/targets/agent/strategies/registry.ts'
import { historyOf, plannedTurns, played } from '../../targets/agent/strategies/histories.ts'
import { chatOf } from './swe-agent-files.ts'

const words = (messages: readonly Message[]) => messages.map(({ role, content }) => [role, String(content)])

describe.each(strategyNames)('prompts made with %s', name => {
  it.each(['query', 'messages'] as const)('are found in the history: %s', key => {
    const params = fc.record({ hp_obs_n: fc.integer({ min: 1, max: 3 }), hp_sum_n: fc.integer({ min: 2, max: 4 }) })
    fc.assert(
      fc.property(plannedTurns(12), params, (planned, given) => {
        const chosen = builtInStrategy(name, { ...given, hp_sum_keep_m: 1 })
        if (chosen.problems !== undefined) throw new Error(chosen.problems[0]?.message)
        const tidy = planned.map((turn, at) => ({ ...turn, says: `${at} ${turn.says}`, isAskedAgain: false }))
        const sent = played(chosen.strategy, tidy).map(({ prompt, history: { messages, summaries } }) =>
          renderPrompt(prompt, messages, summaries),
        )
        const history = historyOf(tidy)
        const answers = history.messages.filter(({ role }) => role === 'assistant')
        const file = {
          trajectory: answers.map(({ content }, at) => ({
            ...{ response: String(content), action: '', observation: '' },
            [key]: (key === 'query' ? sent[at] : sent[at + 1])?.map(chatOf),
          })),
          history: history.messages.map(chatOf),
          info: { exit_status: 'submitted' },
        }
        const read = readSweAgent(JSON.parse(JSON.stringify(file)), 'some')
        for (const [at, { prompt }] of read.turns.entries()) {
          if (key === 'messages' && at === 0) expect(prompt).toBeNull()
          else expect(words(renderPrompt(prompt ?? [], read.history, []))).toEqual(words(sent[at] ?? []))
        }
        // Unchanged messages are referred to by position, not repeated.
        const last = read.turns.at(-1)?.prompt ?? []
        if (name === 'raw' && read.turns.length > 1) expect(last).toEqual([{ from: 0, to: read.turns.at(-1)?.from }])
        if (name === 'observation_masking') expect(last.every(part => 'from' in part)).toBe(true)
      }),
      { numRuns: 40 },
    )
  })
})

it('an unreadable prompt is unknown, and the rest of the file is read', () => {
  const step = { response: 'I look.', action: 'ls', observation: 'a', query: [{ content: 3 }] }
  const history = [
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: 'I look.' },
  ]
  const read = readSweAgent({ trajectory: [step], history, info: { exit_status: 'submitted' } }, 'some')
  expect(read.turns).toMatchObject([{ kind: 'turn', prompt: null }])
})

it('mini-swe-agent sends the whole history', () => {
  const messages = ['system', 'user', 'assistant', 'user', 'assistant'].map((role, at) => ({ role, content: `${at}` }))
  const info = { exit_status: 'Submitted', model_stats: { instance_cost: 1, api_calls: 2 } }
  const read = readMiniSweAgent({ messages, info, trajectory_format: 'mini-swe-agent-1' }, 'some')
  expect(read.turns.map(({ prompt }) => prompt)).toEqual([[{ from: 0, to: 2 }], [{ from: 0, to: 4 }]])
})
