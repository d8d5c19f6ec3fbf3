import { describe, expect, it } from 'vitest'
import { folded } from '../../web/trajectory/folded-text.ts'
import { promptText, stretchesOf } from '../../web/trajectory/prompt-words.ts'
import { turnRows } from '../../web/trajectory/turn-rows.ts'

describe('the description of a turn', () => {
  it('describes the part of every earlier turn in the prompt', () => {
    const prompt = {
      spans: [
        { from: 3, to: 5, how: 'masked' as const },
        { from: 6, to: 6, how: 'full' as const },
      ],
      further: 0,
    }
    expect(stretchesOf(prompt, 9)).toEqual([
      { from: 1, to: 2, how: 'absent' },
      { from: 3, to: 5, how: 'masked' },
      { from: 6, to: 6, how: 'full' },
      { from: 7, to: 8, how: 'absent' },
    ])
    expect(promptText(prompt, 9)).toBe(
      'turns 1–2 left out, turns 3–5 with masked outputs, turn 6 in full and turns 7–8 left out',
    )
  })

  it('covers every earlier turn once, even if spans start late or are missing', () => {
    for (const spans of [[], [{ from: 2, to: 3, how: 'summary' as const }]]) {
      const all = stretchesOf({ spans, further: 1 }, 5)
      expect(all.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at))).toEqual([
        1, 2, 3, 4,
      ])
    }
  })

  it('folds long texts and no others', () => {
    expect(folded('a\nb\n', 0)).toEqual({ shown: 'a\nb\n', isFolded: false, lines: 2 })
    expect(folded('x\n'.repeat(100), 0)).toEqual({ shown: 'x\n'.repeat(14).trimEnd(), isFolded: true, lines: 100 })
    expect(folded('x'.repeat(10_000), 0)).toEqual({ shown: 'x'.repeat(900), isFolded: true, lines: 1 })
    expect(folded('short', 5000).isFolded).toBe(true)
  })

  it('names missing turns', () => {
    const turns = [1, 2, 7].map(number => ({ number }) as never)
    expect(turnRows(turns, 1, 9)).toEqual([
      { turn: turns[0] },
      { turn: turns[1] },
      { from: 3, to: 6 },
      { turn: turns[2] },
      { from: 8, to: 9 },
    ])
    expect(turnRows([], 5, 4)).toEqual([])
  })
})
