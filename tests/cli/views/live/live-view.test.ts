import { expect, it } from 'vitest'
import { foldLive, noLiveState } from '../../../../src/cli/views/live/live-state.ts'
import { renderLive } from '../../../../src/cli/views/live/live-view.ts'
import { styler } from '../../../../src/cli/views/style.ts'
import { textWidth } from '../../../../src/cli/views/text-width.ts'
import type { EngineEvent } from '../../../../src/engine/events.ts'
import { begins, ends, exit7, started, summary } from '../sample-events.ts'

const frame = (events: readonly EngineEvent[], now: number, columns = 72, budgetUsd: number | null = null) =>
  renderLive(events.reduce(foldLive, noLiveState), { now, columns, style: styler({ colour: false }), budgetUsd }).join(
    '\n',
  )

const middle: readonly EngineEvent[] = [
  started,
  begins('fifo__seed1', 0),
  begins('fifo__seed2', 0),
  ends('fifo__seed1', { cost_usd: 0.25, charged_usd: 0.25 }),
  begins('full__seed1', 10_000),
  ends('fifo__seed2', exit7),
  begins('full__seed2', 12_000),
  ends('full__seed1', { outcome: { kind: 'infra_error', message: 'connection reset' }, retry_in_ms: 2000 }),
  begins('full__seed3', 20_000),
  { kind: 'notice', level: 'warning', message: 'ended 1 process left by a crash' },
]

it('begins with what is reused', () => {
  expect(frame([started], 0)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    ━━━━━━━━────────────────────────────────  2/10  20%
    2 done · 0 running · 2 reused"
  `)
})

it('shows what runs, what failed and why, what it cost and how long it will take', () => {
  expect(frame(middle, 21_500, 72, 20)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    ━━━━━━━━━━━━━━━━────────────────────────  4/10  40%  ETA 25s
    3 done · 2 running · 1 failed · 1 retrying · 2 reused · $0.25 of $20.00
    ▸ full__seed2  9.5s
    ▸ full__seed3  1.5s
    ✗ fifo__seed2  failed, exit code 7: Segmentation fault in tier 3
    ! ended 1 process left by a crash"
  `)
})

it('never draws a line longer than the terminal', () => {
  for (const columns of [10, 20, 40])
    for (const line of frame(middle, 21_500, columns, 20).split('\n'))
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
})

it('believes the journal, which also knows of other processes', () => {
  expect(frame([...middle, { kind: 'progress', summary: { ...summary, running: 3 } }], 21_500)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━────  9/10  90%  ETA 8.5s
    7 done · 3 running · 2 failed · 1 retrying · 2 reused · $1.50
    ▸ full__seed2  9.5s
    ▸ full__seed3  1.5s
    ✗ fifo__seed2  failed, exit code 7: Segmentation fault in tier 3
    ! ended 1 process left by a crash"
  `)
})

it('shows no end where none is known', () => {
  const open = { ...started, planned: null }
  expect(frame([open, begins('a', 0), ends('a'), { kind: 'draining', reason: 'Ctrl-C' }], 5000)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    3 runs
    3 done · 0 running · 2 reused
    no new runs: Ctrl-C"
  `)
})

it('forgets a retry once it has begun', () => {
  const state = [...middle, begins('full__seed1', 23_000, 2)].reduce(foldLive, noLiveState)
  expect(state.retrying.size).toBe(0)
})
