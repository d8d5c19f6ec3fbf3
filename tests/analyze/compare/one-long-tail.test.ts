import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../../src/stats/index.ts'
import { ask } from '../ask.ts'
import { twoArms } from '../evidence.ts'

const n = 30
const normalScores = Array.from({ length: n }, (_, at) => normalQuantile((at + 0.5) / n))
/** A little lower on most tasks, much higher on a few. */
const tailed = normalScores.map(z => 0.5 * Math.exp(z) - 1.5)
const none = Array.from({ length: n }, () => 0)
const warned = (differences: readonly number[], question: Parameters<typeof ask>[1] = {}): string | undefined =>
  ask(twoArms(none, differences), question).warnings.find(text => text.includes('one long tail'))

describe('differences with one long tail', () => {
  it('are named where the claim is against the tail', () => {
    expect(ask(twoArms(none, tailed)).verdict).toBe('worse')
    expect(warned(tailed)).toBe(
      'the differences of the 30 seeds have one long tail, upward (skewness 2.47): few units seldom include the far ones, so a claim that the candidate is lower, or not higher by the margin, is wrong two to three times as often as its level says. Run more units (docs/calibration.md, "What a gate lets pass")',
    )
    expect(warned(tailed.map(value => -value))).toContain('downward (skewness −2.47)')
  })

  it('are not where the claim is along the tail, or where there is none', () => {
    expect(warned(tailed.map(value => value + 3))).toBeUndefined()
    expect(warned(tailed.map(value => value + 0.7))).toBeUndefined()
    expect(warned(normalScores.map(value => value - 1))).toBeUndefined()
    expect(warned(tailed, { isPaired: false })).toBeUndefined()
  })

  it('are named where a margin is kept on the side of the tail', () => {
    const around0 = tailed.map(value => value + 0.7)
    expect(
      warned(
        around0.map(value => -value),
        { margin: '1' },
      ),
    ).toContain('downward')
    expect(warned(around0, { margin: '1' })).toContain('upward')
  })
})
