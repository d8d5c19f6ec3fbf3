import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../../../src/models/model-call.ts'
import { type PromptPart, renderPrompt, type Trajectory } from '../../../../src/models/trajectory/trajectory.ts'
import { hiddenMessages } from '../../../../src/report/gather/trajectories/hidden-messages.ts'
import { turnPlaces } from '../../../../src/report/gather/trajectories/turn-places.ts'
import { madeTrajectory } from '../../../support/agent-work.ts'

const hiddenIn = (trajectory: Pick<Trajectory, 'history' | 'turns' | 'summaries'>) =>
  trajectory.history.map((_, at) => hiddenMessages(trajectory, turnPlaces(trajectory))(at))

/** Whether a prompt has a message unchanged. Messages of the history are distinguished by content. */
const shows = (
  prompt: readonly PromptPart[],
  message: Message,
  { history, summaries }: Pick<Trajectory, 'history' | 'summaries'>,
) => renderPrompt(prompt, history, summaries).some(({ content }) => content === message.content)

describe('when a message is hidden', () => {
  it('is the first turn whose prompt masks it for good', () => {
    const { history, ...trajectory } = madeTrajectory({ turns: 6, keep: 2 })
    expect(
      hiddenIn({ history, ...trajectory }).map((hidden, at) => [
        history[at]?.role,
        hidden?.from ?? null,
        hidden?.how ?? null,
      ]),
    ).toEqual([
      ['system', null, null],
      ['user', null, null],
      ...[4, 5, 6].flatMap(turn => [
        ['assistant', null, null],
        ['tool', turn, 'masked'],
      ]),
      ...[4, 5, 6].flatMap(() => [
        ['assistant', null, null],
        ['tool', null, null],
      ]),
    ])
  })

  it('is the first turn in which only a summary has it', () => {
    const made = madeTrajectory({ turns: 5, summary: { after: 3, text: 'three steps' } })
    const hidden = hiddenIn(made)
    expect(hidden.slice(2, 8)).toEqual(Array.from({ length: 6 }, () => ({ from: 4, how: 'summarised' })))
    expect(hidden.slice(8)).toEqual([null, null, null, null])
  })

  it('agrees with a scan of every prompt', () => {
    const roles = fc.constantFrom('system', 'user', 'assistant', 'tool')
    const part = fc.tuple(fc.nat(14), fc.nat(14), fc.boolean())
    const prompt = fc.option(fc.array(part, { maxLength: 4 }), { nil: null })
    fc.assert(
      fc.property(
        fc.array(fc.record({ roles: fc.array(roles, { maxLength: 3 }), gap: fc.nat(1), prompt }), { maxLength: 6 }),
        shapes => {
          const history: Message[] = [{ role: 'system', content: 'the first one' }]
          const add = (role: Message['role']): void => {
            const content = `message ${history.length}`
            history.push(role === 'tool' ? { role, content, tool_call_id: 'a', name: 'bash' } : { role, content })
          }
          const turns = shapes.map(shape => {
            if (shape.gap === 1) add('user')
            const from = history.length
            for (const role of shape.roles) add(role)
            // A prompt has earlier messages.
            const parts = shape.prompt?.map(([a, b, masked]) => ({
              from: Math.min(a, from),
              to: Math.min(b, from),
              ...(masked && { masked: true as const }),
            }))
            return {
              ...madeTrajectory({ turns: 1 }).turns[0],
              from,
              to: history.length,
              prompt: parts ?? null,
            } as Trajectory['turns'][number]
          })
          const trajectory = { history, turns, summaries: [] }
          const places = turnPlaces(trajectory)
          const expected = history.map((message, at) => {
            const known = turns.flatMap(({ prompt: parts }, turn) => (parts === null ? [] : [{ parts, turn }]))
            const last = known.findLast(({ parts }) => shows(parts, message, trajectory))?.turn ?? places.turnOf(at)
            const next = known.find(({ turn }) => turn > last)
            return next === undefined ? null : next.turn + 1
          })
          expect(hiddenIn(trajectory).map(hidden => hidden?.from ?? null)).toEqual(expected)
        },
      ),
      { numRuns: 300 },
    )
  })
})
