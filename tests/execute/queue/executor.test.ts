import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Executor } from '../../../src/execute/executor.ts'
import { workOnQueue } from '../../../src/execute/queue/machines.ts'
import { openExecutor } from '../../../src/execute/registry.ts'
import type { Setting } from '../../../src/perform/perform.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { temporaryDirectory } from '../../process/support.ts'
import { executorContract } from '../executor-contract.ts'
import { onServers } from './on-servers.ts'

onServers('the queue', server => {
  executorContract('queue', (setting, slots) => withWorker(server().address, setting, slots))
})

/** An executor and one worker, each with its own connection, as if they were on two machines with the same files. */
async function withWorker(address: string, setting: Setting, slots: number): Promise<Executor> {
  const { folder } = setting.experiment
  const options = { slots, areSlotsGiven: true, queue: address, cwd: folder }
  const executor = await openExecutor('queue', setting, options)
  const worker = await workOnQueue(address, {
    slots,
    machine: { host: 'here', cpus: availableParallelism(), memory_mb: 1000, gpus: 0, labels: [] },
    folder,
    scratch: join(temporaryDirectory(), 'scratch'),
    count: null,
    targetFor,
    tell() {},
  })
  const ended = worker.run()
  executor.listen?.({ notice() {}, late() {} })
  await expect.poll(() => executor.slots).toBe(slots)
  const close = executor.close.bind(executor)
  executor.close = async () => {
    worker.interrupt('cancel')
    await ended
    await close()
  }
  return executor
}
