import { expect, it, onTestFinished } from 'vitest'
import { openQueueServer } from '../../../src/execute/queue/open-server.ts'
import { onServers, taken } from './on-servers.ts'

onServers('a parcel that ends while it is looked up', server => {
  it('is found with its result, or as not ended', async () => {
    const coordinator = await openQueueServer(server().address)
    const worker = await openQueueServer(server().address)
    const queue = await coordinator.jobs('assay-found')
    const taker = await worker.taker('assay-found')
    onTestFinished(async () => {
      await Promise.allSettled([queue.close(), taker.close()])
      await Promise.allSettled([coordinator.close(), worker.close()])
    })
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
