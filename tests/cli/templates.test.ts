import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { needsBubblewrap } from '../targets/task/support.ts'

const assay = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

it.each([
  ['command', 30],
  ['function', 120],
  ['prompt', 72],
  ['matrix-json', 12],
  ['task', 6],
])('the %s template runs as it is', async (template, runs) => {
  if (template === 'task') await needsBubblewrap()
  const cwd = mkdtempSync(join(tmpdir(), 'assay-template-'))
  const env = { ...process.env, SANDBOX_BACKEND: 'bubblewrap' }
  const run = (...args: readonly string[]) =>
    execFileSync(process.execPath, [assay, ...args], { cwd, env, encoding: 'utf8' })
  run('init', '--template', template)
  const lastLine = run('run', '--json').trim().split('\n').at(-1) ?? ''
  expect(JSON.parse(lastLine)).toMatchObject({ kind: 'summary', planned: runs, completed: runs, exit_code: 0 })
})
