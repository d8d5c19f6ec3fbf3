import { expect, it } from 'vitest'
import { findingLines } from '../../src/cli/commands/more/doctor.ts'
import { ok, problem, warning } from '../../src/cli/doctor/finding.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { styler } from '../../src/cli/views/style.ts'
import { needsProc } from '../support/needs.ts'
import { fakeIo } from './fake-io.ts'

it('finds no problem on this machine', async () => {
  const io = fakeIo('doctor --json')
  expect(await runCli(io)).toBe(0)
  const { findings } = JSON.parse(io.stdout.text())
  expect(findings).toContainEqual({ name: 'sqlite', level: 'ok', detail: expect.stringMatching(/^3\./) })
  expect(findings).toContainEqual({ name: 'this folder', level: 'ok', detail: 'can be written' })
})

it('exits 1 when the folder cannot be written', async () => {
  needsProc()
  const io = fakeIo('doctor', { cwd: '/proc' })
  expect(await runCli(io)).toBe(1)
  expect(io.stdout.text()).toMatch(/✗ this folder +.*\n +Give a folder that can be written with --out-root/)
})

it('shows problems and advice', () => {
  const findings = [
    ok('node', '24.1.0'),
    warning('git', 'not found', 'Install it.'),
    problem('sqlite', 'broken', 'Mend it.'),
  ]
  expect(findingLines(findings, styler({ colour: false })).join('\n')).toMatchInlineSnapshot(`
    "✓ node    24.1.0
    ! git     not found
              Install it.
    ✗ sqlite  broken
              Mend it."
  `)
})
