import { expect, it } from 'vitest'
import { outcomeReason } from '../../../src/cli/views/outcome-text.ts'
import { styler } from '../../../src/cli/views/style.ts'
import { summaryLines } from '../../../src/cli/views/summary-view.ts'
import { exit7, summary } from './sample-events.ts'

const plain = styler({ colour: false })
const facts = {
  name: 'sweep',
  summary,
  stoppedBy: null,
  failures: [],
  retryCommand: 'assay run sweep.yaml --retry-failed',
}

it('prints runs, cost, time and directory', () => {
  const done = { ...summary, completed: 10, failed: 0, timed_out: 0, pending: 0 }
  expect(summaryLines({ ...facts, summary: done }, plain).join('\n')).toMatchInlineSnapshot(`
    "sweep, 10 runs: 10 completed (2 reused)
    9 attempts so far, 1m15s this time, $1.50
    everything is in results/sweep"
  `)
})

it('lists failures, and ends with the retry command', () => {
  const failures = [
    { run: 'full__seed1', outcome: exit7.outcome ?? { kind: 'failed' as const }, stderrTail: exit7.stderr_tail ?? '' },
    { run: 'full__seed2', outcome: { kind: 'timed_out' as const, message: 'took longer than 1m' } },
  ]
  const lines = summaryLines({ ...facts, failures, stoppedBy: 'budget of $20.00 reached' }, plain)
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "sweep, 10 runs: 7 completed (2 reused), 1 failed, 1 timed out, 1 pending
    stopped: budget of $20.00 reached. To continue, run the same command with a higher --budget.
    9 attempts so far, 1m15s this time, $1.50
    everything is in results/sweep

    failures=2
    - full__seed1: exit_code=7  Segmentation fault in tier 3
    - full__seed2: timed_out  took longer than 1m

    To run them again:
    assay run sweep.yaml --retry-failed"
  `)
  expect(lines.at(-1)).toBe(facts.retryCommand)
})

it('names the limit that cut runs, which may be one of calls or tokens', () => {
  const cut = { ...summary, completed: 8, failed: 0, timed_out: 0, pending: 0, cost_limited: 2 }
  expect(summaryLines({ ...facts, summary: cut, cutBy: ['run_calls', 'run_calls'] }, plain).slice(0, 2)).toEqual([
    'sweep, 10 runs: 8 completed (2 reused), 2 cut by a limit',
    'Raise --run-calls to rerun what the limit cut.',
  ])
})

it('reports once that it was stopped', () => {
  const stoppedBy = 'stopped with `assay stop`'
  expect(summaryLines({ ...facts, stoppedBy }, plain)[1]).toBe(
    'stopped with `assay stop`. To continue, run the same command again.',
  )
})

it('names a class of error once', () => {
  const outcome = { kind: 'failed', error_class: 'TypeError', message: 'TypeError: x is not a function' } as const
  const lines = summaryLines({ ...facts, failures: [{ run: 'r', outcome }] }, plain)
  expect(lines).toContain('- r: TypeError  x is not a function')
  expect(outcomeReason(outcome)).toBe('failed, TypeError: x is not a function')
})

it('lists no more than fifty kinds of failure', () => {
  const failures = Array.from({ length: 53 }, (_, n) => ({
    run: `r${n}`,
    outcome: { kind: 'failed' as const, exit_code: n },
  }))
  const lines = summaryLines({ ...facts, failures }, plain)
  expect(lines.filter(line => line.startsWith('- '))).toHaveLength(50)
  expect(lines).toContain('  and 3 more')
})

it('groups identical failures in one line, with the logs command', () => {
  const failure = (run: string, said: string) => ({
    run,
    outcome: { kind: 'failed' as const, exit_code: 7 },
    stderrTail: `trace ${run}\n${said}\n`,
  })
  const failures = [
    failure('other', 'no such file'),
    ...Array.from({ length: 12 }, (_, at) => failure(`r${at}`, `connection refused by port ${4000 + at}`)),
  ]
  const lines = summaryLines({ ...facts, failures, logsCommand: run => `assay logs results/sweep ${run}` }, plain)
  expect(lines.slice(lines.indexOf('failures=13'))).toEqual([
    'failures=13',
    '- 12 runs: exit_code=7  connection refused by port 4000  (e.g. r0)',
    '- other: exit_code=7  no such file',
    '',
    'Output of one of them:',
    'assay logs results/sweep r0',
    '',
    'To run them again:',
    facts.retryCommand,
  ])
})
