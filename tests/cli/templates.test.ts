import { expect, it } from 'vitest'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { needsBubblewrap } from '../targets/task/support.ts'

it.each([
  ['command', 30],
  ['function', 120],
  ['prompt', 72],
  ['matrix-json', 12],
  ['scenario', 20],
  ['task', 6],
])('the %s template runs unchanged', async (template, runs) => {
  if (template === 'task') await needsBubblewrap()
  const place = { cwd: folderWith(), env: { SANDBOX_BACKEND: 'bubblewrap' } }
  const made = await assay(['init', '--template', template], place)
  expect(made.status, made.stderr).toBe(0)
  const ended = await assay(['run', '--json'], place)
  expect(ended.status, ended.stderr).toBe(0)
  expect(summaryOf(ended)).toMatchObject({ kind: 'summary', planned: runs, completed: runs, exit_code: 0 })
})
