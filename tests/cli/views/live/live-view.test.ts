import { expect, it } from 'vitest'
import { foldLive, noLiveState } from '../../../../src/cli/views/live/live-state.ts'
import { renderLive } from '../../../../src/cli/views/live/live-view.ts'
import { styler } from '../../../../src/cli/views/style.ts'
import { textWidth } from '../../../../src/cli/views/text-width.ts'
import type { EngineEvent } from '../../../../src/engine/call.ts'
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

it('starts from the reused runs', () => {
  expect(frame([started], 0)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    ━━━━━━━━────────────────────────────────  2/10  20%
    2 done · 0 running · 2 reused"
  `)
})

it('shows running runs, failures with reasons, cost and time left', () => {
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
  for (const columns of [1, 2, 5, 10, 20, 40])
    for (const line of frame(middle, 21_500, columns, 20).split('\n'))
      expect(textWidth(line)).toBeLessThanOrEqual(columns)
})

it('shows a failure’s run and reason on any terminal width', () => {
  const run = 'policy-priority_load-0.85_buckets-128_seed-7__0123456789ab'
  const failed = [started, begins('policy-fifo_load-0.85_buckets-64_seed-8__ba9876543210', 0), ends(run, exit7)]
  const lines = (columns: number) => frame(failed, 1500, columns).split('\n').slice(3).join('\n')
  expect(lines(120)).toMatchInlineSnapshot(`
    "▸ policy-fifo_load-0.85_buckets-64_seed-8__ba9876543210  1.5s
    ✗ policy-priority_load-0.85_buckets-128_seed-7__0123456789ab  failed, exit code 7: Segmentation fault in tier 3"
  `)
  expect(lines(80)).toMatchInlineSnapshot(`
    "▸ policy-fifo_load-0.85_buckets-64_seed-8__ba9876543210  1.5s
    ✗ policy-priority_load-0.85_buckets-128_seed-7
      failed, exit code 7: Segmentation fault in tier 3"
  `)
  expect(lines(40)).toMatchInlineSnapshot(`
    "▸ policy-fifo_load…ckets-64_seed-8  1.5s
    ✗ policy-priority_loa…buckets-128_seed-7
      failed, exit code 7: Segmentation fau…"
  `)
})

it('explains the effect of Ctrl-C and of a second one', () => {
  const interrupted: readonly EngineEvent[] = [started, begins('a', 0), { kind: 'draining', reason: 'interrupted' }]
  const last = (events: readonly EngineEvent[]) => frame(events, 0, 30).split('\n').slice(4)
  expect(last(interrupted)).toEqual(['no new runs: interrupted', 'running ones finish', 'Ctrl-C again cancels them'])
  const again: EngineEvent = { kind: 'draining', reason: 'interrupted', cancels: true }
  expect(last([...interrupted, again])).toEqual(['no new runs: interrupted', 'running ones are cancelled'])
})

it('uses the journal’s counts, which include other processes', () => {
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

it('shows no time left if it is unknown', () => {
  const open = { ...started, planned: null }
  expect(frame([open, begins('a', 0), ends('a'), { kind: 'draining', reason: 'Ctrl-C' }], 5000)).toMatchInlineSnapshot(`
    "sweep  results/sweep
    3 runs
    3 done · 0 running · 2 reused
    no new runs: Ctrl-C"
  `)
})

it('removes a retry once it has started', () => {
  const state = [...middle, begins('full__seed1', 23_000, 2)].reduce(foldLive, noLiveState)
  expect(state.retrying.size).toBe(0)
})

it('shows identical failures once, with a count, even if others came between', () => {
  const refused = (at: number): EngineEvent =>
    ends(`r${at}`, { outcome: { kind: 'failed', exit_code: 1 }, stderr_tail: 'connection refused\n' })
  const others = [2, 3, 4].map(code => ends(`o${code}`, { outcome: { kind: 'failed', exit_code: code } }))
  const events = [started, ...[0, 1, 2, 3, 4].map(refused), ...others, refused(5)]
  const lines = frame(events, 0).split('\n')
  expect(lines.filter(line => line.startsWith('✗'))).toEqual([
    '✗ o3  failed, exit code 3',
    '✗ o4  failed, exit code 4',
    '✗ 6 runs, last r5  failed, exit code 1: connection refused',
  ])
  expect(lines).toContain('  and 1 other kind of failure')
})
