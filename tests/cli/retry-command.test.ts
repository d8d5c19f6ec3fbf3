import { expect, it } from 'vitest'
import { retryCommand } from '../../src/cli/retry-command.ts'

it.each([
  [['run', 'sweep.yaml', '-j', '4'], 'assay run sweep.yaml --jobs 4 --retry-failed'],
  [['run', '--filter', 'x > 1', '--fail_fast'], "assay run --filter 'x > 1' --fail-fast --retry-failed"],
  [['run', '--fresh', '--rerun', 'a', '--retry_failed', 'b.yaml'], 'assay run b.yaml --retry-failed'],
])('%j', (argv, expected) => {
  expect(retryCommand(argv)).toBe(expected)
})
