import { expect, test } from 'vitest'
import type { Exit } from '../../../src/process/spawn/starter.ts'
import { outcomeOfExit } from '../../../src/targets/command/outcome-of-exit.ts'

const exited = (code: number): Exit => ({ kind: 'exited', code, cpu_s: null })
const notStarted = (code: string): Exit => ({ kind: 'not_started', code, message: code })

test.each<[Exit, object]>([
  [exited(0), { kind: 'completed', exit_code: 0, signal: null }],
  [exited(7), { kind: 'failed', exit_code: 7, error_class: 'exit_7' }],
  [exited(75), { kind: 'infra_error', exit_code: 75, error_class: 'exit_75' }],
  [
    { kind: 'signalled', signal: 'SIGSEGV', cpu_s: 0.1 },
    { kind: 'failed', signal: 'SIGSEGV', error_class: 'signal_SIGSEGV' },
  ],
  [notStarted('ENOENT'), { kind: 'failed', exit_code: 127, error_class: 'spawn_ENOENT' }],
  [notStarted('EACCES'), { kind: 'failed', exit_code: 126, error_class: 'spawn_EACCES' }],
  [notStarted('EAGAIN'), { kind: 'infra_error', exit_code: 127, error_class: 'spawn_EAGAIN' }],
  [notStarted('EMFILE'), { kind: 'infra_error', error_class: 'spawn_EMFILE' }],
])('%o', (exit, outcome) => {
  expect(outcomeOfExit(exit, null, undefined)).toMatchObject(outcome)
})

test('a stopped attempt has the outcome of the reason, whatever its exit code', () => {
  const stopped = { kind: 'timed_out', message: 'late' } as const
  expect(outcomeOfExit(exited(0), stopped, undefined)).toMatchObject({ kind: 'timed_out', exit_code: 0 })
})

test('an experiment may redefine exit codes', () => {
  expect(outcomeOfExit(exited(3), null, { 3: 'rate_limited' })).toMatchObject({ kind: 'rate_limited' })
  expect(outcomeOfExit(exited(2), null, { 2: 'completed' })).toEqual({ kind: 'completed', exit_code: 2, signal: null })
})
