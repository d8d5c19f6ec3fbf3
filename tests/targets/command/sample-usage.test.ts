import { expect, test } from 'vitest'
import { listProcesses } from '../../../src/process/processes.ts'
import { sampleUsage } from '../../../src/targets/command/sample-usage.ts'
import { recur } from '../../../src/util/system-clock.ts'
import { startProgram } from '../../process/support.ts'
import { needsProc } from '../../support/needs.ts'

/** Back after the shared timer has looked this often. */
const looks = (count: number) =>
  new Promise<void>(resolve => {
    const alive = setInterval(() => {}, 1000)
    let left = count
    const cancel = recur(100, () => {
      if (--left > 0) return 100
      clearInterval(alive)
      cancel()
      resolve()
      return 1000
    })
  })

test('CPU time and memory of a busy program', async () => {
  needsProc()
  const { pid } = startProgram('burns-cpu.sh')
  // However slow the machine is: there is something to see before anybody looks.
  while ((listProcesses().find(entry => entry.pid === pid)?.cpu_s ?? 0) < 0.1) await looks(1)
  const sampler = sampleUsage(pid)
  await looks(2)
  const usage = sampler.stop()
  expect(usage?.cpu_s).toBeGreaterThan(0.05)
  expect(usage?.max_rss_bytes).toBeGreaterThan(500_000)
})

test('a run that ends before the first sample is not measured', async () => {
  const { pid, exit } = startProgram('prints.sh')
  expect(sampleUsage(pid).stop()).toBeNull()
  await exit
  const late = sampleUsage(pid)
  await looks(2)
  expect(late.stop()).toBeNull()
})
