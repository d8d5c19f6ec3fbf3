import { expect, it, onTestFinished } from 'vitest'
import { openQueueServer } from '../../../src/execute/queue/open-server.ts'
import { onServers, taken } from './on-servers.ts'

async function queueAndTaker(address: string, name: string) {
  const coordinator = await openQueueServer(address)
  const worker = await openQueueServer(address)
  const queue = await coordinator.jobs(name)
  const taker = await worker.taker(name)
  onTestFinished(async () => {
    await Promise.allSettled([queue.close(), taker.close()])
    await Promise.allSettled([coordinator.close(), worker.close()])
  })
  return { queue, taker }
}

onServers('a parcel', server => {
  it('that has ended is not withdrawn, one that nobody took is', async () => {
    const { queue, taker } = await queueAndTaker(server().address, 'assay-withdrawn')
    await queue.add([{ id: 'p1', data: {} }])
    const job = await taken(taker)
    expect(await queue.withdraw('p1')).toBe(false)
    await job.finish(['result'])
    expect(await queue.withdraw('p1')).toBe(false)
    expect(await queue.find('p1')).toMatchObject({ state: 'done', result: ['result'] })
    await queue.add([{ id: 'p2', data: {} }])
    expect(await queue.withdraw('p2')).toBe(true)
    expect(await queue.find('p2')).toBe(null)
  })

  it('that ends while it is looked up is found with its result, or as not ended', async () => {
    const { queue, taker } = await queueAndTaker(server().address, 'assay-found')
    const ids = Array.from({ length: 30 }, (_, at) => `p${at}`)
    await queue.add(ids.map(id => ({ id, data: {} })))
    for (const _ of ids) {
      const job = await taken(taker)
      const finished = job.finish(['result'])
      let found = await queue.find(job.id)
      while (found?.state === 'taken') found = await queue.find(job.id)
      expect(found).toMatchObject({ state: 'done', result: ['result'] })
      await finished
    }
  })
})
