import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { assay, folderWith, startAssay, summaryOf } from '../support/assay.ts'
import { journalRows } from '../support/journal.ts'

const freezer = '/sys/fs/cgroup/freezer'

/** A process in a frozen group of the first version of cgroups does not act on SIGKILL until the group is thawed. */
function freeze(pid: string): { thaw(): void } | string {
  if (!existsSync(freezer)) return 'there is no freezer of version 1 here'
  const group = join(freezer, `assay-test-${process.pid}`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, 'cgroup.procs'), pid)
    writeFileSync(join(group, 'freezer.state'), 'FROZEN')
  } catch (error) {
    return `the freezer may not be used: ${error}`
  }
  const thaw = () => writeFileSync(join(group, 'freezer.state'), 'THAWED')
  onTestFinished(async () => {
    thaw()
    await expect.poll(() => readFileSync(join(group, 'cgroup.procs'), 'utf8')).toBe('')
    rmdirSync(group)
  })
  return { thaw }
}

it('an unkillable process frees its slot, is named, and is listed by doctor; its run is not started beside it', async ({
  skip,
}) => {
  const cwd = folderWith({
    'experiment.yaml': `
name: e
target: { kind: command, command: [./run.sh, "{n}"] }
factors: { n: [1, 2] }
order: listed
limits: { jobs: 1, timeout: 2s, grace: 100ms, retries: { infra_error: 3, backoff: 1ms } }
`,
    'run.sh': '#!/bin/sh\n[ "$1" = 2 ] && exit\necho $$ > pid\nexec sleep 1000\n',
  })
  const started = startAssay(['run', '--json'], { cwd })
  await expect
    .poll(() => existsSync(join(cwd, 'pid')) && readFileSync(join(cwd, 'pid'), 'utf8').endsWith('\n'))
    .toBe(true)
  const pid = readFileSync(join(cwd, 'pid'), 'utf8').trim()
  const frozen = freeze(pid)
  if (typeof frozen === 'string') {
    started.child.kill('SIGKILL')
    await started.ended
    return skip(frozen)
  }
  const ended = await started.ended
  expect(summaryOf(ended)).toMatchObject({ completed: 1, infra_error: 1, attempts: 2 })
  const [attempt] = journalRows<{ message: string }>(
    join(cwd, 'results/e'),
    "SELECT facts ->> 'message' AS message FROM attempts WHERE outcome = 'infra_error'",
  )
  expect(attempt?.message).toContain(`it could not be ended, not even by SIGKILL: process ${pid} (sleep 1000), which`)
  const doctor = await assay(['doctor'], { cwd })
  expect(doctor.stdout).toContain(`process ${pid} (sleep 1000)`)
  frozen.thaw()
})
