import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Executor } from '../../../src/execute/executor.ts'
import { workOnQueue } from '../../../src/execute/queue/machines.ts'
import { openQueueServer } from '../../../src/execute/queue/open-server.ts'
import { QueueExecutor } from '../../../src/execute/queue/queue-executor.ts'
import { readParcel } from '../../../src/execute/queue/wire-result.ts'
import { openExecutor } from '../../../src/execute/registry.ts'
import type { Setting } from '../../../src/perform/perform.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { experimentWith, jobWith, settingOf } from '../../perform/support.ts'
import { temporaryDirectory } from '../../process/support.ts'
import { executorContract, io, unfinished } from '../executor-contract.ts'
import { onServers, taken } from './on-servers.ts'

onServers('the queue', server => {
  executorContract('queue', (setting, slots) => withWorker(server().address, setting, slots))

  it('a run that was returned and sent again is not sent a third time by the next coordinator, whatever clocks say', async () => {
    const there = await openQueueServer(server().address)
    const queue = await there.jobs('assay-clocks')
    const taker = await there.taker('assay-clocks')
    const setting = settingOf(experimentWith({ kind: 'command', command: ['true'] }), temporaryDirectory())
    const options = { id: 'clocks', cwd: setting.experiment.folder, mostJobs: null }
    const executor = await QueueExecutor.open(await openQueueServer(server().address), setting, options)
    onTestFinished(async () => {
      await Promise.allSettled([executor.close(), queue.close(), taker.close()])
      await there.close()
    })
    const job = jobWith()
    const send = (id: string) => queue.add([{ id, data: { package: 'some', jobs: [job] } }])
    await send('returned')
    await (await taken(taker)).finish([{ returned: job.token, parcel: 'returned' }])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 })
    await send('again').finally(() => vi.useRealTimers())
    const [adopted] = await executor.adopt([unfinished(job)])
    if (adopted?.kind !== 'running') throw new Error(`it is ${adopted?.kind}`)
    void adopted.attach(io())
    void executor.start(jobWith({ token: 'sent-after-it' }), io())
    expect((await taken(taker)).id).toBe('again')
    expect(readParcel((await taken(taker)).data)?.jobs).toMatchObject([{ token: 'sent-after-it' }])
  })
})

/** An executor and one worker, each with its own connection, as if they were on two machines with the same files. */
async function withWorker(address: string, setting: Setting, slots: number): Promise<Executor> {
  const { folder } = setting.experiment
  const options = { slots, areSlotsGiven: true, queue: address, cwd: folder }
  const executor = await openExecutor('queue', setting, options)
  const worker = await workOnQueue(address, {
    slots,
    labels: [],
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
