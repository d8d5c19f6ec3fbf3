import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/models/model-call.ts'
import { renderPrompt } from '../../../../src/models/trajectory/trajectory.ts'
import { builtInStrategy, type StrategyName } from '../../../../src/targets/agent/strategies/registry.ts'
import type { JsonObject } from '../../../../src/util/json.ts'
import { type Asked, type PlannedTurn, plannedTurns, played } from './histories.ts'

/**
 * The strategies written down once more, as the program of the paper does them: on lists of messages, by copying,
 * without parts or states. Both must show the model the same prompts.
 */
function reference(name: StrategyName, planned: readonly PlannedTurn[], at: number, settings: Settings): Message[] {
  const { n, keep, obs, isStatic } = settings
  const opening: Message[] = [
    { role: 'system', content: 'You work in a shell.' },
    { role: 'user', content: 'Fix the bug.' },
  ]
  const turns = planned.slice(0, at).map(({ says, outputs }, turn): Message[] => [
    {
      role: 'assistant',
      content: says,
      tool_calls: outputs.map((_, call) => ({
        id: `${turn}-${call}`,
        name: 'bash',
        arguments: { command: `cmd ${turn}` },
      })),
    },
    ...outputs.map(
      (content, call): Message => ({ role: 'tool', tool_call_id: `${turn}-${call}`, name: 'bash', content }),
    ),
  ])
  const written = name === 'raw' || name === 'observation_masking' ? 0 : summariesAfter(at, n, keep)
  const all = Array.from(
    { length: written },
    (_, number): Message => ({
      role: 'assistant',
      content: `Checkpoint: a summary of the ${n} turns before this point.\n\nsummary ${number}`,
    }),
  )
  const summaries = isStatic ? all.slice(-1) : all
  const prompt = [...opening, ...summaries, ...turns.slice(written * n).flat()]
  return name === 'observation_masking' || name === 'hybrid' ? withNewest(prompt, obs) : prompt
}

interface Settings {
  readonly n: number
  readonly keep: number
  readonly obs: number
  readonly isStatic: boolean
}

const summariesAfter = (turns: number, n: number, keep: number): number => {
  let written = 0
  for (let turn = 1; turn <= turns; turn++) if (turn - written * n >= n + keep) written++
  return written
}

function withNewest(prompt: readonly Message[], newest: number): Message[] {
  let left = prompt.filter(({ role }) => role === 'tool').length - newest
  return prompt.map(message => {
    if (message.role !== 'tool' || left <= 0) return message
    left--
    const text = String(message.content)
    const lines = text.endsWith('\n') ? text.split('\n').length - 1 : text === '' ? 0 : text.split('\n').length
    return { ...message, content: `Old environment output: (${lines} ${lines === 1 ? 'line' : 'lines'} omitted)` }
  })
}

const shown = ({ prompt, history }: Asked): readonly Message[] =>
  renderPrompt(prompt, history.messages, history.summaries)

describe.each(['raw', 'observation_masking', 'llm_summary', 'hybrid'] as const)('%s', name => {
  it('shows the same prompts as a straightforward computation', () => {
    const settings = fc.record({
      n: fc.integer({ min: 1, max: 6 }),
      keep: fc.nat(5),
      obs: fc.integer({ min: 1, max: 6 }),
      isStatic: fc.boolean(),
    })
    fc.assert(
      fc.property(plannedTurns(20), settings, (planned, { n, keep, obs, isStatic }) => {
        const keep_m = Math.min(keep, n - 1)
        const params: JsonObject = {
          hp_sum_n: n,
          hp_sum_keep_m: keep_m,
          hp_obs_n: obs,
          hp_sum_static_checkpoint: isStatic,
        }
        const choice = builtInStrategy(name, params)
        if (choice.problems !== undefined) throw new Error(choice.problems[0]?.message)
        for (const [at, asked] of played(choice.strategy, planned).entries())
          expect(shown(asked)).toEqual(reference(name, planned, at, { n, keep: keep_m, obs, isStatic }))
      }),
      { numRuns: 60 },
    )
  })
})
