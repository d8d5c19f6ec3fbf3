import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { spawnGroup } from '../../src/process/spawn-group.ts'
import { program, startProgram, temporaryDirectory } from './support.ts'

function run(argv: readonly string[], cwd?: string) {
  const dir = temporaryDirectory()
  const files = { stdoutFile: join(dir, 'stdout.txt'), stderrFile: join(dir, 'stderr.txt') }
  return { ...files, ...spawnGroup({ argv, cwd: cwd ?? dir, env: {}, ...files }) }
}

test('exit code and output', async () => {
  const { exit, stdoutFile, stderrFile } = run([program('exits.sh'), '7'])
  expect(await exit).toEqual({ kind: 'exited', code: 7 })
  expect(readFileSync(stdoutFile, 'utf8')).toBe('to stdout\n')
  expect(readFileSync(stderrFile, 'utf8')).toBe('to stderr\n')
})

test('the signal that ended it', async () => {
  expect(await run([program('dies.sh'), 'SEGV']).exit).toEqual({ kind: 'signalled', signal: 'SIGSEGV' })
})

test.each([
  ['a program that does not exist', ['no-such-program-anywhere'], 'ENOENT'],
  ['a file that is not executable', [join(import.meta.dirname, 'support.ts')], 'EACCES'],
  ['an argument that is too long', ['/bin/true', 'x'.repeat(3_000_000)], 'E2BIG'],
  ['an argument with a NUL', ['/bin/true', 'a\0b'], 'ERR_INVALID_ARG_VALUE'],
])('%s is not started', async (_, argv, code) => {
  const { pid, exit } = run(argv)
  expect(pid).toBeNull()
  expect(await exit).toMatchObject({ kind: 'not_started', code })
})

test('200 MB of output pass by this process', async () => {
  const started = startProgram('much-output.sh')
  expect(await started.exit).toEqual({ kind: 'exited', code: 0 })
  expect(statSync(started.stdoutFile).size).toBeGreaterThan(200_000_000)
})
