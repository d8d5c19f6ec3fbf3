import { expect, test } from 'vitest'
import { failureMode, namedFailure, type Outcome } from '../../src/define/outcome.ts'

test.each<readonly [string, Outcome]>([
  ['failed: KeyError', { kind: 'failed', error_class: 'exit_1', message: 'exit code 1', said: "KeyError: 'a'" }],
  ['failed: exit_7', { kind: 'failed', error_class: 'exit_7', message: 'the program ended with exit code 7' }],
  ['failed: exit_7', { kind: 'failed', error_class: 'exit_7', said: '17' }],
  ['failed: signal_SIGSEGV', { kind: 'failed', error_class: 'signal_SIGSEGV', said: 'epoch 3' }],
  ['failed: RangeError: context is full', { kind: 'failed', error_class: 'RangeError', message: 'context is full' }],
  ['failed: TypeError', { kind: 'failed', error_class: 'TypeError' }],
  ['failed', { kind: 'failed' }],
  ['failed: no gold', { kind: 'failed', message: 'no gold' }],
  ['infra error: connection refused', { kind: 'infra_error', error_class: 'exit_75', said: 'Connection refused' }],
  ['timed out', { kind: 'timed_out', message: 'no result within 0.3 s', said: 'epoch 3' }],
  ['cost limited', { kind: 'cost_limited', error_class: 'run_calls', message: '17 calls' }],
])('%s', (name, outcome) => {
  expect(namedFailure(outcome)).toBe(name)
})

test('output is used if the outcome has no message', () => {
  expect(failureMode({ kind: 'failed', error_class: 'exit_1' }, 'Error: 12 of 13 gone')).toBe('… of … gone')
})
