import { execFileSync, spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { completionScript, type Shell } from '../../src/cli/completion/completion-script.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { fakeIo } from './fake-io.ts'

it.for<[Shell, string[]]>([
  ['bash', ['-n']],
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('%s can read its script', ([shell, args], { skip }) => {
  const result = spawnSync(shell, args, { input: completionScript(shell), encoding: 'utf8' })
  if (result.error !== undefined) skip(`${shell} is not installed`)
  expect(result).toMatchObject({ status: 0, stderr: '' })
})

it.each([
  ['assay do', 1, 'doctor'],
  ['assay completion z', 2, 'zsh'],
  ['assay init --templ', 2, '--template'],
  ['assay init --template f', 3, 'function'],
  ['assay report --format j', 3, 'json junit'],
  ['assay export --format o', 3, 'otlp'],
])('bash completes "%s"', (line, index, expected) => {
  const script = `${completionScript('bash')}
COMP_WORDS=(${line}); COMP_CWORD=${index}; _assay; echo "\${COMPREPLY[@]}"`
  expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()).toBe(expected)
})

it('refuses a shell it does not know', async () => {
  const io = fakeIo('completion tcsh')
  expect(await runCli(io)).toBe(2)
  expect(io.stderr.text()).toBe('error: completion: expected bash, zsh or fish, got "tcsh"\n')
})
