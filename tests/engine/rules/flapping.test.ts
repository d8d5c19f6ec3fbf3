import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/define/outcome.ts'
import { afterFirstRun, type Beginning, flappingReason, noRunsYet } from '../../../src/engine/rules/flapping.ts'
import { runWith } from '../../perform/support.ts'
import { experimentWith, factor } from '../../plan/experiment.ts'

const exit7: Outcome = { kind: 'failed', error_class: 'exit_7', exit_code: 7 }
const experiment = experimentWith({ factors: [factor('x', [1, 2, 3])] })
const beginningOf = (...ends: readonly { outcome: Outcome; wall_s?: number; x?: number }[]): Beginning =>
  ends.reduce<Beginning>(
    (beginning, { outcome, wall_s = 1, x }, index) =>
      afterFirstRun(beginning, runWith({ params: { x: x ?? index } }), { outcome, wall_s }),
    noRunsYet,
  )
const times = (count: number, end: { outcome: Outcome; wall_s?: number; x?: number }) => Array(count).fill(end)
const reason = (beginning: Beginning, enough = 5) =>
  flappingReason(beginning, experiment, enough, () => 'no such queue')

describe('a call whose first runs all fail', () => {
  it('is stopped after five, with the last error', () => {
    expect(reason(beginningOf(...times(4, { outcome: exit7 })))).toBeNull()
    expect(reason(beginningOf(...times(5, { outcome: exit7 })))).toBe(
      'the first 5 runs all failed at once and in the same way (exit_7): no such queue (--keep-going continues anyway)',
    )
  })

  it('is stopped after the configured number, or never', () => {
    expect(reason(beginningOf(...times(2, { outcome: exit7 })), 2)).toContain('the first 2 runs all failed')
    expect(reason(beginningOf({ outcome: exit7 }), 1)).toBeNull()
    expect(reason(beginningOf(...times(50, { outcome: exit7 })), 0)).toBeNull()
  })

  it.each<[string, readonly { outcome: Outcome; wall_s?: number; x?: number }[]]>([
    ['one completed', [{ outcome: { kind: 'completed' } }, ...times(9, { outcome: exit7 })]],
    [
      'one completed in between',
      [...times(4, { outcome: exit7 }), { outcome: { kind: 'completed' } }, ...times(9, { outcome: exit7 })],
    ],
    [
      'one failed otherwise',
      [
        ...times(4, { outcome: exit7 }),
        { outcome: { kind: 'failed', error_class: 'exit_8' } },
        ...times(9, { outcome: exit7 }),
      ],
    ],
    ['they took their time', times(9, { outcome: exit7, wall_s: 61 })],
    ['one variant alone fails', times(9, { outcome: exit7, x: 1 })],
  ])('continues if %s', (_, ends) => {
    expect(reason(beginningOf(...ends))).toBeNull()
  })

  it('is stopped for one variant if there is only one', () => {
    const beginning = beginningOf(...times(5, { outcome: exit7, x: 1 }))
    expect(flappingReason(beginning, experimentWith({}), 5, () => '')).toBe(
      'the first 5 runs all failed at once and in the same way (exit_7) (--keep-going continues anyway)',
    )
  })

  it('does not count cancelled runs', () => {
    const ends = [...times(4, { outcome: exit7 }), { outcome: { kind: 'cancelled' } as const }, { outcome: exit7 }]
    expect(reason(beginningOf(...ends))).not.toBeNull()
  })
})
