import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startTimeOf } from '../../src/process/processes.ts'
import { assay, folderWith, summaryOf } from '../support/assay.ts'
import { changeJournal } from '../support/journal.ts'
import { needsProc } from '../support/needs.ts'

/** An experiment whose only run belongs to a worker that is there as a process, and has said nothing since the machine was started. */
async function silentWorker() {
  needsProc()
  const cwd = folderWith({ 'e.yaml': 'name: e\ntarget: { kind: command, command: ["true"] }\n' })
  await assay(['run', 'e.yaml', '-q'], { cwd })
  const worker = spawn('sleep', ['1000'])
  const ended = once(worker, 'exit')
  onTestFinished(() => void worker.kill('SIGKILL'))
  changeJournal(
    join(cwd, 'results/e'),
    `UPDATE workers SET left_at = NULL, pid = ${worker.pid}, start_time = '${startTimeOf(worker.pid ?? 0)}', heartbeat_elapsed = -1e9;
     UPDATE attempts SET ended_at = NULL, outcome = NULL, has_directory = 0; UPDATE runs SET state = 'running', outcome = NULL`,
  )
  return { cwd, worker, ended }
}

it('ends a hung worker before taking over its runs', async () => {
  const { cwd, worker, ended } = await silentWorker()
  const next = await assay(['run', 'e.yaml', '--json'], { cwd })
  expect(next.stdout).toContain(`process ${worker.pid} on`)
  expect(next.stdout).toContain('has not responded for a long time: it is ended, and its runs are taken over')
  expect(await ended).toEqual([null, 'SIGKILL'])
  expect(summaryOf(next)).toMatchObject({ completed: 1, running: 0 })
})

it('treats a worker stopped by its user as alive', async () => {
  const { cwd, worker } = await silentWorker()
  worker.kill('SIGSTOP')
  await expect.poll(async () => (await assay(['run', 'e.yaml', '--json'], { cwd })).status).toBe(2)
  expect(worker.exitCode).toBe(null)
})
