import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { complaint, folderWith, startAssay } from '../support/assay.ts'
import { hasLines, jsonOf } from '../support/files.ts'
import { needsFullDevice, needsScript } from '../support/needs.ts'
import { killProcessesOf, processesOf } from '../support/processes.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

const folder = () =>
  folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1, 2]', '{ jobs: 2, grace: 200ms }') })

it('standard output on a full disk ends no run', async () => {
  needsFullDevice()
  const cwd = folder()
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const child = spawn(process.execPath, [program, 'run'], { cwd, stdio: ['ignore', full, 'ignore'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
    killProcessesOf(cwd)
  })
  await hasLines(join(cwd, 'started'), 2)
  writeFileSync(join(cwd, 'go'), '')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(jsonOf(join(cwd, 'results/waits/summary.json'))).toMatchObject({ completed: 2 })
})

it('a command whose output is its product reports that it is incomplete', async () => {
  needsFullDevice()
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const child = spawn(process.execPath, [program, 'schema'], { stdio: ['ignore', full, 'pipe'] })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', text => {
    said += text
  })
  expect(await once(child, 'close')).toEqual([2, null])
  expect(said).toContain('error: standard output is not complete: ENOSPC')
})

it.each([
  ['run', '--json'],
  ['status', 'results/waits', '--json'],
])('missing requested output is reported: %s %s', async (...args) => {
  needsFullDevice()
  const cwd = folder()
  writeFileSync(join(cwd, 'go'), '')
  expect(await startAssay(['run', '-q'], { cwd }).ended).toMatchObject({ status: 0 })
  const full = openSync('/dev/full', 'w')
  onTestFinished(() => closeSync(full))
  const child = spawn(process.execPath, [program, ...args], { cwd, stdio: ['ignore', full, 'ignore'] })
  expect(await once(child, 'close')).toEqual([2, null])
})

it('closing a terminal cancels its runs and programs, and leaves a correct journal', async () => {
  needsScript()
  const cwd = folder()
  const line = `${process.execPath} ${program} run; echo $? > code`
  const terminal = spawn('/usr/bin/script', ['-qfc', line, '/dev/null'], { cwd, stdio: ['pipe', 'ignore', 'ignore'] })
  onTestFinished(() => {
    terminal.kill('SIGKILL')
    killProcessesOf(cwd)
  })
  await hasLines(join(cwd, 'started'), 2)
  terminal.kill('SIGKILL')
  const summary = join(cwd, 'results/waits/summary.json')
  await expect.poll(() => jsonOf(summary)).toMatchObject({ cancelled: 2 })
  expect(processesOf(join(cwd, 'results/waits'))).toEqual([])
})

it('a directory deleted during the run is reported', async () => {
  const cwd = folder()
  const run = startAssay(['run', '--json'], { cwd })
  await hasLines(join(cwd, 'started'), 2)
  // It is written to meanwhile.
  rmSync(join(cwd, 'results'), { recursive: true, maxRetries: 20 })
  const ended = await run.ended
  expect(ended.status).toBe(2)
  expect(`${ended.stdout}${complaint(ended, { cwd })}`).toContain('the directory of the experiment is gone')
  expect(processesOf(join(cwd, 'results/waits'))).toEqual([])
})
