import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Executor } from '../../../../src/execute/executor.ts'
import { QueueExecutor } from '../../../../src/execute/queue/coordinator/queue-executor.ts'
import { workOnQueue } from '../../../../src/execute/queue/machines.ts'
import { openQueueServer } from '../../../../src/execute/queue/server/open-server.ts'
import { readParcel } from '../../../../src/execute/queue/wire-result.ts'
import { openExecutor } from '../../../../src/execute/registry.ts'
import type { Setting } from '../../../../src/perform/perform.ts'
import { targetFor } from '../../../../src/targets/registry.ts'
import { experimentWith, jobWith, settingOf } from '../../../perform/support.ts'
import { temporaryDirectory } from '../../../process/support.ts'
import { executorContract, io, unfinished } from '../../executor-contract.ts'
import { onServers, taken } from '../on-servers.ts'

onServers('the queue', server => {
  executorContract('queue', (setting, slots) => withWorker(server().address, setting, slots))

  it('the next coordinator does not send a returned and resent run a third time, whatever the clocks say', async () => {
    const { executor, taker, job, send } = await clocksSetBack(server().address)
    await send('returned', 0)
    await (await taken(taker)).finish([{ returned: job.token, parcel: 'returned' }])
    await send('again', 1)
    const [adopted] = await executor.adopt([unfinished(job)])
    if (adopted?.kind !== 'running') throw new Error(`it is ${adopted?.kind}`)
    void adopted.attach(io())
    void executor.start(jobWith({ token: 'sent-after-it' }), io())
    expect((await taken(taker)).id).toBe('again')
    expect(readParcel((await taken(taker)).data)?.jobs).toMatchObject([{ token: 'sent-after-it' }])
  })

  it('the next coordinator looks for a run in its last parcel while a worker still has its first one', async () => {
    const { executor, taker, job, send } = await clocksSetBack(server().address)
    await send('returned', 0)
    await taken(taker)
    await send('again', 1)
    const [adopted] = await executor.adopt([unfinished(job)])
    if (adopted?.kind !== 'running') throw new Error(`it is ${adopted?.kind}`)
    const stop = new AbortController()
    const ended = adopted.attach(io({ signal: stop.signal }))
    // It is where no worker has taken it: so it can be withdrawn.
    stop.abort()
    expect((await ended).outcome.kind).toBe('cancelled')
  })
})

/** A coordinator, and the server as workers see it; every parcel is sent an hour earlier than the one before. */
async function clocksSetBack(address: string) {
  const there = await openQueueServer(address)
  const id = `clocks-${randomUUID()}`
  const [queue, taker] = [await there.jobs(`assay-${id}`), await there.taker(`assay-${id}`)]
  const setting = settingOf(experimentWith({ kind: 'command', command: ['true'] }), temporaryDirectory())
  const options = { id, cwd: setting.experiment.folder, mostJobs: null }
  const executor = await QueueExecutor.open(await openQueueServer(address), setting, options)
  onTestFinished(async () => {
    await Promise.allSettled([executor.close(), queue.close(), taker.close()])
    await there.close()
  })
  const job = jobWith()
  let hours = 0
  const send = async (parcel: string, times: number) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 * hours++ })
    const again = times === 0 ? {} : { again: { [job.token]: times } }
    await queue
      .add([{ id: parcel, data: { package: 'some', jobs: [job], ...again } }])
      .finally(() => vi.useRealTimers())
  }
  return { executor, taker, job, send }
}

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
  // It is notified of free slots, so it does not poll.
  await new Promise<void>(resolve => executor.listen?.({ notice() {}, late() {}, grown: resolve }))
  expect(executor.slots).toBe(slots)
  const close = executor.close.bind(executor)
  executor.close = async () => {
    worker.interrupt('cancel')
    await ended
    await close()
  }
  return executor
}
