import { describe, expect, it } from 'vitest'
import type { PromptPart } from '../../../../src/models/trajectory/trajectory.ts'
import { promptSpans } from '../../../../src/report/gather/trajectories/prompt-spans.ts'
import { turnPlaces } from '../../../../src/report/gather/trajectories/turn-places.ts'
import { madeTrajectory } from '../../../support/agent-work.ts'

/** Twelve turns, two messages each, after two messages. */
const places = turnPlaces(madeTrajectory({ turns: 12 }))
const summaries = [
  { from: 0, to: 4 },
  { from: 0, to: 99_999 },
]

const spansOf = (prompt: readonly PromptPart[], earlier = 11) =>
  promptSpans(prompt, earlier, places, summaries).spans.map(({ from, to, how }) => `${from}-${to} ${how}`)

describe('a prompt by its turns', () => {
  it('distinguishes whole, masked, summarised and omitted turns', () => {
    expect(spansOf([{ from: 0, to: 24 }])).toEqual(['1-11 full'])
    expect(spansOf([{ from: 0, to: 2 }])).toEqual([])
    expect(
      spansOf([
        { from: 0, to: 2 },
        { from: 2, to: 10, masked: true },
        { from: 10, to: 24 },
      ]),
    ).toEqual(['1-4 masked', '5-11 full'])
    expect(spansOf([{ from: 0, to: 2 }, { summary: 0 }, { from: 16, to: 24 }])).toEqual(['1-4 summary', '8-11 full'])
  })

  it('counts a turn as masked if only its output is', () => {
    expect(
      spansOf([
        { from: 0, to: 3 },
        { from: 3, to: 4, masked: true },
        { from: 4, to: 8 },
      ]),
    ).toEqual(['1-1 masked', '2-3 full'])
  })

  it('stays within the history, and covers no turn twice, even in odd files', () => {
    expect(spansOf([{ summary: 1 }])).toEqual(['1-11 summary'])
    expect(spansOf([{ summary: 77 }, { from: 9, to: 3 }, { from: 500, to: 900 }])).toEqual([])
    expect(
      spansOf([
        { from: 10, to: 20 },
        { from: 2, to: 14 },
      ]),
    ).toEqual(['1-9 full'])
    expect(spansOf([{ from: 2, to: 14 }, { summary: 0 }])).toEqual(['1-6 full'])
  })

  it('counts messages not recorded elsewhere', () => {
    expect(promptSpans([{ message: { role: 'user', content: 'more' } }], 3, places, summaries)).toEqual({
      spans: [],
      further: 1,
    })
  })

  it('joins equal neighbouring pieces', () => {
    const many = madeTrajectory({ turns: 400 })
    const prompt = Array.from({ length: 200 }, (_, at): PromptPart => ({ from: 2 + 4 * at, to: 4 + 4 * at }))
    const { spans } = promptSpans(prompt, 399, turnPlaces(many), [])
    expect(spans.length).toBe(60)
    expect(spans.at(-1)).toEqual({ from: 119, to: 399, how: 'mixed' })
  })
})
