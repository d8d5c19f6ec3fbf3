import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

it.each([
  ['command', 30],
  ['function', 120],
  ['prompt', 72],
  ['matrix-json', 12],
])('the %s template runs as it is', (template, runs) => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-template-'))
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [assay, ...args], { cwd, encoding: 'utf8' })
  run('init', '--template', template)
  const lastLine = run('run', '--json').trim().split('\n').at(-1) ?? ''
  expect(JSON.parse(lastLine)).toMatchObject({ kind: 'summary', planned: runs, completed: runs, exit_code: 0 })
})
