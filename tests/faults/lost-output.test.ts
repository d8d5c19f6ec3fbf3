import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { complaint, folderWith, startAssay } from '../support/assay.ts'
import { appeared, jsonOf, linesOf } from '../support/files.ts'
import { killProcessesOf, processesOf } from '../support/processes.ts'
import { waiting, waitingExperiment } from '../support/waiting-program.ts'

const program = fileURLToPath(new URL('../../bin/assay.mjs', import.meta.url))

const folder = () =>
  folderWith({ 'waits.sh': waiting, 'experiment.yaml': waitingExperiment('[1, 2]', '{ jobs: 2, grace: 200ms }') })

const patience = { timeout: 60_000, interval: 50 }

it('standard output on a full disk ends nothing', async () => {
  const cwd = folder()
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [program, 'run'], { cwd, stdio: ['ignore', full, 'ignore'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
    killProcessesOf(cwd)
  })
  await vi.waitUntil(() => linesOf(join(cwd, 'started')).length === 2, patience)
  writeFileSync(join(cwd, 'go'), '')
  expect(await once(child, 'close')).toEqual([0, null])
  expect(jsonOf(join(cwd, 'results/waits/summary.json'))).toMatchObject({ completed: 2 })
})

it('a command whose output is its product says that it is not complete', async () => {
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

// A terminal that can be closed is made by script(1).
describe.runIf(existsSync('/usr/bin/script'))('a terminal', () => {
  it('that is closed cancels what runs in it, with all its programs, and leaves a journal that is right', async () => {
    const cwd = folder()
    const line = `${process.execPath} ${program} run; echo $? > code`
    const terminal = spawn('/usr/bin/script', ['-qfc', line, '/dev/null'], { cwd, stdio: ['pipe', 'ignore', 'ignore'] })
    onTestFinished(() => {
      terminal.kill('SIGKILL')
      killProcessesOf(cwd)
    })
    await vi.waitUntil(() => linesOf(join(cwd, 'started')).length === 2, patience)
    terminal.kill('SIGKILL')
    const summary = join(cwd, 'results/waits/summary.json')
    await vi.waitUntil(() => JSON.parse(readFileSync(summary, 'utf8')).cancelled === 2, patience)
    expect(processesOf(join(cwd, 'results/waits'))).toEqual([])
  })
})

it('a directory that is deleted meanwhile is told as that', async () => {
  const cwd = folder()
  const run = startAssay(['run', '--json'], { cwd })
  await appeared(join(cwd, 'results'))
  await vi.waitUntil(() => linesOf(join(cwd, 'started')).length === 2, patience)
  rmSync(join(cwd, 'results'), { recursive: true })
  const ended = await run.ended
  expect(ended.status).toBe(2)
  expect(`${ended.stdout}${complaint(ended, { cwd })}`).toContain('the directory of the experiment is gone')
  expect(processesOf(join(cwd, 'results/waits'))).toEqual([])
})
