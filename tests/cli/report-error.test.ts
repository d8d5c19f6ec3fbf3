import { expect, it } from 'vitest'
import { reportError } from '../../src/cli/report-error.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { AssayError } from '../../src/util/errors.ts'
import { fakeIo } from './fake-io.ts'

const stale = new AssayError('stale', '3 runs are stale', { hint: 'Say --stale rerun or keep.', facts: { runs: 3 } })

it('prints the error and the next step', () => {
  const io = fakeIo('run')
  expect(reportError(stale, io)).toBe(2)
  expect(io.stderr.text()).toBe('error: 3 runs are stale\nSay --stale rerun or keep.\n')
  expect(io.stdout.text()).toBe('')
})

it('prints JSON with --json', () => {
  const io = fakeIo('run --json')
  reportError(stale, io)
  expect(JSON.parse(io.stdout.text())).toEqual({
    kind: 'error',
    code: 'stale',
    message: '3 runs are stale',
    hint: 'Say --stale rerun or keep.',
    facts: { runs: 3 },
  })
})

it('distinguishes a bug from a user error, and shows the stack only with -v', () => {
  const quiet = fakeIo('run')
  expect(reportError(new TypeError('x is not a function'), quiet)).toBe(70)
  expect(quiet.stderr.text()).toMatchInlineSnapshot(`
    "error: this should not have happened: x is not a function
    This is a bug in assay. The same command with -v shows where it happened.
    "
  `)
  const verbose = fakeIo('run -v')
  reportError(new TypeError('x is not a function'), verbose)
  expect(verbose.stderr.text()).toMatch(/TypeError: x is not a function\n {4}at .*report-error.test.ts/)
})

it('turns an unknown command into exit code 2', async () => {
  const io = fakeIo('docter')
  expect(await runCli(io)).toBe(2)
  expect(io.stderr.text()).toBe("error: unknown command 'docter'\nDid you mean doctor?\n")
})
