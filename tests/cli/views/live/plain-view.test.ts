import { expect, it } from 'vitest'
import type { Verbosity } from '../../../../src/cli/views/live/listener.ts'
import { plainView } from '../../../../src/cli/views/live/plain-view.ts'
import type { EngineEvent } from '../../../../src/engine/call.ts'
import { fakeIo } from '../../fake-io.ts'
import { begins, ends, exit7, started } from '../sample-events.ts'

const events: readonly EngineEvent[] = [
  started,
  begins('a', 0),
  ends('a', {
    metrics: [
      { metric: 'p95', value: 12.5 },
      { metric: 'cost', problem: 'summary.csv has no column "cost"' },
    ],
  }),
  ends('b', exit7),
  ends('c', { outcome: { kind: 'failed', signal: 'SIGSEGV', exit_code: null } }),
  ends('d', { outcome: { kind: 'timed_out', message: 'took longer than 1m' }, retry_in_ms: 2000 }),
  ends('e', { outcome: { kind: 'infra_error', message: 'could not be started: ENOENT' }, quarantined: true }),
  ends('t', { outcome: { kind: 'failed', error_class: 'TypeError', message: 'TypeError: x is not a function' } }),
  ends('f', { outcome: { kind: 'cancelled' } }),
  { kind: 'notice', level: 'info', message: 'took over 1 run' },
  { kind: 'notice', level: 'warning', message: 'the program changed' },
  { kind: 'draining', reason: 'Ctrl-C' },
]

it('counts runs taken in before the start separately, and never more than planned', () => {
  const io = fakeIo('')
  const listen = plainView(io, 1)
  const before = [ends('x'), ends('y'), ends('z')]
  const after = Array.from({ length: 10 }, (_, n) => ends(`r${n}`))
  for (const event of [...before, started, ...after]) listen(event)
  const counts = [...io.stdout.text().matchAll(/\((\d+)\/(\d+)\)/g)].map(([, done, all]) => [Number(done), Number(all)])
  expect(counts.map(([done]) => done)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  for (const [done = 0, all = 0] of counts) expect(done).toBeLessThanOrEqual(all)
})

function shown(verbosity: Verbosity): string {
  const io = fakeIo('')
  const listen = plainView(io, verbosity)
  for (const event of events) listen(event)
  return `${io.stdout.text()}--- stderr\n${io.stderr.text()}`
}

it('prints a line per finished run, like Cascade', () => {
  expect(shown(1)).toMatchInlineSnapshot(`
    "experiment: results/sweep
    planned_runs=10 to_run=8 skipped=2 jobs=2
    [OK]   a (1/8)
    [STOP] f cancelled (6/8)
    --- stderr
    [FAIL] b exit_code=7 (2/8) loading Segmentation fault in tier 3
    [FAIL] c signal=SIGSEGV (3/8)
    [RETRY] d timed_out, again in 2.0s
    [FAIL] e infra_error quarantined (4/8) could not be started: ENOENT
    [FAIL] t TypeError (5/8) x is not a function
    [WARN] the program changed
    [STOP] no new runs: Ctrl-C
    "
  `)
})

it('prints only failures and warnings with -q', () => {
  expect(shown(0)).toMatchInlineSnapshot(`
    "--- stderr
    [FAIL] b exit_code=7 (2/8) loading Segmentation fault in tier 3
    [FAIL] c signal=SIGSEGV (3/8)
    [FAIL] e infra_error quarantined (4/8) could not be started: ENOENT
    [FAIL] t TypeError (5/8) x is not a function
    [WARN] the program changed
    "
  `)
})

it('prints starts, notices and metrics as well with -vv', () => {
  expect(shown(3)).toMatchInlineSnapshot(`
    "experiment: results/sweep
    planned_runs=10 to_run=8 skipped=2 jobs=2
    [RUN]  a
    [OK]   a (1/8)
           p95=12.5
           cost: summary.csv has no column "cost"
    [STOP] f cancelled (6/8)
    [NOTE] took over 1 run
    --- stderr
    [FAIL] b exit_code=7 (2/8) loading Segmentation fault in tier 3
    [FAIL] c signal=SIGSEGV (3/8)
    [RETRY] d timed_out, again in 2.0s
    [FAIL] e infra_error quarantined (4/8) could not be started: ENOENT
    [FAIL] t TypeError (5/8) x is not a function
    [WARN] the program changed
    [STOP] no new runs: Ctrl-C
    "
  `)
})
