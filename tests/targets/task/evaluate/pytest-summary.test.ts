import { expect, test } from 'vitest'
import { readPytestSummary, resolvedBy } from '../../../../src/targets/task/evaluate/pytest-summary.ts'

const summary = (...lines: readonly string[]): string =>
  [
    'collected 3 items',
    '',
    '=========================== short test summary info ============================',
    ...lines,
    '==== 1 failed, 2 passed in 0.03s ====',
    '',
  ].join('\n')

const named = (output: string) => readPytestSummary(output).map(({ name, passed }) => [name, passed])

test('passed, expected failures and skipped tests pass; the rest fails', () => {
  const output = summary(
    'PASSED tests/test_a.py::test_one',
    'XFAIL tests/test_a.py::test_two - known bug',
    'SKIPPED [1] tests/test_a.py:3: no network',
    'FAILED tests/test_a.py::test_three - assert 1 == 2',
    'XPASS tests/test_a.py::test_four',
    'ERROR tests/test_b.py - ImportError: no module',
  )
  expect(named(output)).toEqual([
    ['tests/test_a.py::test_one', true],
    ['tests/test_a.py::test_two', true],
    ['[1] tests/test_a.py:3: no network', true],
    ['tests/test_a.py::test_three', false],
    ['tests/test_a.py::test_four', false],
    ['tests/test_b.py', false],
  ])
  expect(resolvedBy(readPytestSummary(output))).toBe(0)
  expect(resolvedBy(readPytestSummary(summary('PASSED a::b', 'SKIPPED c')))).toBe(1)
})

test('the last summary counts: a program under test may print one of its own', () => {
  const forged = summary('PASSED forged::test')
  expect(named(`${forged}\n${summary('FAILED real::test - no')}`)).toEqual([['real::test', false]])
})

test('colours, carriage returns and names with dashes and spaces are read', () => {
  const output = summary(
    '\u001b[32mPASSED\u001b[0m a.py::\u001b[1mtest[x - y]\u001b[0m',
    'FAILED b.py::test - a - b',
    'FAILED c.py::test[x - y] - assert z[0]',
  ).replaceAll('\n', '\r\n')
  expect(named(output)).toEqual([
    ['a.py::test[x - y]', true],
    ['b.py::test', false],
    ['c.py::test[x - y]', false],
  ])
})

test.each([
  ['no summary at all', 'Traceback: no pytest'],
  ['a summary without tests', summary()],
])('%s gives no score', (_, output) => {
  expect(() => readPytestSummary(output)).toThrow(/summary/)
})
