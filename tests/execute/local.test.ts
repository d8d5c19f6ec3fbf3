import { expect, test } from 'vitest'
import { LocalExecutor } from '../../src/execute/local.ts'
import { experimentWith, jobWith, noLimits, runWith, settingOf } from '../perform/support.ts'
import { fileWith, startProgram, temporaryDirectory } from '../process/support.ts'

const io = {
  signal: new AbortController().signal,
  permits: noLimits(),
  modelIds: new Map(),
  onPoint() {},
  onStarted() {},
  onNote() {},
}

function executor(command: string[], slots = 2) {
  return new LocalExecutor(settingOf(experimentWith({ kind: 'command', command }), temporaryDirectory()), slots)
}

test('slots are counted, and may change while jobs run', async () => {
  const local = executor(['./prints.sh'])
  const running = local.start(jobWith(), io)
  expect(local.free()).toBe(1)
  local.resize(1)
  expect([local.slots, local.free()]).toEqual([1, 0])
  expect((await running).outcome.kind).toBe('completed')
  expect(local.free()).toBe(1)
})

const limits = { timeout_ms: null, run_budget_usd: null }

test('an attempt whose result is on disk is taken in; with another token it is not', async () => {
  const local = executor(['./prints.sh'])
  const job = jobWith()
  const result = await local.start(job, io)
  const unfinished = {
    run: job.run,
    token: job.token,
    attempt: 1,
    pid: null,
    startTime: null,
    started_at: Date.now(),
    ...limits,
  }
  expect(await local.adopt([unfinished])).toEqual([{ token: job.token, result, spent_usd: 0 }])
  expect(await local.adopt([{ ...unfinished, token: 'newer' }])).toEqual([
    { token: 'newer', result: null, spent_usd: 0 },
  ])
})

test('an attempt that was cut off is ended', async () => {
  const orphan = startProgram('ignores-sigterm.sh')
  await fileWith(orphan.stdoutFile, 'ready')
  const { token, pid, startTime, startedAt } = orphan.attempt
  const unfinished = { run: runWith(), token, attempt: 1, pid, startTime, started_at: startedAt, ...limits }
  expect(await executor(['./prints.sh']).adopt([unfinished])).toEqual([{ token, result: null, spent_usd: 0 }])
  expect(await orphan.exit).toMatchObject({ kind: 'signalled', signal: 'SIGKILL' })
})
