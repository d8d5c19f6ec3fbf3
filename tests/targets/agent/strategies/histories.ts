import * as fc from 'fast-check'
import type { Message } from '../../../../src/models/model-call.ts'
import type { Summary } from '../../../../src/models/trajectory/trajectory.ts'
import type { History, Strategy, TurnPlace } from '../../../../src/targets/agent/strategies/strategy.ts'

/** One turn as a test writes it: the agent's text, its commands, and their outputs. */
export interface PlannedTurn {
  readonly says: string
  readonly outputs: readonly string[]
  /** An answer that could not be used, and the question it led to, come before it. */
  readonly isAskedAgain?: boolean
}

/** A history with a system prompt, an instruction, and these turns. */
export function historyOf(planned: readonly PlannedTurn[], summaries: History['summaries'] = []): History {
  const messages: Message[] = [
    { role: 'system', content: 'You work in a shell.' },
    { role: 'user', content: 'Fix the bug.' },
  ]
  const turns: TurnPlace[] = []
  for (const [at, { says, outputs, isAskedAgain = false }] of planned.entries()) {
    if (isAskedAgain)
      messages.push({ role: 'assistant', content: 'hm' }, { role: 'user', content: 'Call a tool, please.' })
    const from = messages.length
    messages.push({
      role: 'assistant',
      content: says,
      tool_calls: outputs.map((_, call) => ({
        id: `${at}-${call}`,
        name: 'bash',
        arguments: { command: `cmd ${at}` },
      })),
    })
    for (const [call, content] of outputs.entries())
      messages.push({ role: 'tool', tool_call_id: `${at}-${call}`, name: 'bash', content })
    turns.push({ from, to: messages.length })
  }
  return { messages, opening: 2, turns, summaries }
}

/** Several outputs, no output and long ones among them. */
export const plannedTurns = (most: number): fc.Arbitrary<readonly PlannedTurn[]> =>
  fc.array(
    fc.record({
      says: fc.string(),
      outputs: fc.array(fc.string({ maxLength: 30, unit: fc.constantFrom('a', 'b', '\n', ' ') }), {
        minLength: 0,
        maxLength: 3,
      }),
      isAskedAgain: fc.boolean(),
    }),
    { maxLength: most },
  )

export interface Asked {
  readonly history: History
  readonly prompt: NonNullable<ReturnType<Strategy['next']>['prompt']>
  /** How many summaries were written before this prompt. */
  readonly written: number
}

/** What a strategy does before each turn of a work of this length, its summaries written by a summariser that numbers them. */
export function played(strategy: Strategy, planned: readonly PlannedTurn[]): readonly Asked[] {
  const asked: Asked[] = []
  const summaries: Summary[] = []
  let state = strategy.start()
  for (let done = 0; done <= planned.length; done++)
    for (;;) {
      const history = historyOf(planned.slice(0, done), [...summaries])
      const next = strategy.next(history, state)
      // The state has to survive a restart.
      state = JSON.parse(JSON.stringify(next.state))
      if (next.prompt !== undefined) {
        asked.push({ history, prompt: next.prompt, written: summaries.length })
        break
      }
      const { from, to, ask, textOf } = next.summarise
      const text = textOf(ask === null ? null : `summary ${summaries.length}`)
      summaries.push({ text, from, to, call: null })
    }
  return asked
}
