import { type TestResult, Unscored } from './score.ts'

const passing = ['PASSED', 'XFAIL', 'SKIPPED']
const failing = ['FAILED', 'XPASS', 'ERROR']

/** `test_a.py::test[x - y] - assert 1 == 2`: the parameters of a test may contain a dash too. */
const nameAndReason = /^((?:(?! - ).)*?\[.*?\](?= - |$)|.*?)(?: - (.*))?$/

/**
 * The tests in pytest's "short test summary info" (with -rA all of them). The last block counts: a program under test
 * may print its own before. No block means that the tests themselves did not run.
 */
export function readPytestSummary(output: string): readonly TestResult[] {
  const lines = output.split(/\r?\n/).map(withoutColour)
  const start = lines.findLastIndex(line => /^=+ short test summary info =+$/.test(line.trim()))
  if (start === -1)
    throw new Unscored('parse_error', 'the tests printed no "short test summary info": they did not run to their end')
  const tests: TestResult[] = []
  for (const line of lines.slice(start + 1)) {
    if (/^=+ .* =+$/.test(line.trim())) break
    const [, status, rest] = /^([A-Z]+)\s+(.+)$/.exec(line.trim()) ?? []
    if (status === undefined || rest === undefined || ![...passing, ...failing].includes(status)) continue
    const [, name = rest, reason] = status === 'PASSED' ? [] : (nameAndReason.exec(rest) ?? [])
    tests.push({ name: name.trim(), passed: passing.includes(status), rubric: null, output: reason ?? null })
  }
  if (tests.length === 0) throw new Unscored('parse_error', 'the summary of the tests names no test')
  return tests
}

/** Solved only if every test passed. */
export const resolvedBy = (tests: readonly TestResult[]): number => Number(tests.every(({ passed }) => passed))

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour
const withoutColour = (line: string): string => line.replace(/\u001b\[[0-9;]*m/g, '')
