import { expect, it, onTestFinished } from 'vitest'
import { openQueueServer } from '../../../../src/execute/queue/server/open-server.ts'
import { onServers, taken } from '../on-servers.ts'

/** The second is begun first. */
async function swapped<A, B>([first, second]: readonly [() => Promise<A>, () => Promise<B>]): Promise<[A, B]> {
  const [b, a] = await Promise.all([second(), first()])
  return [a, b]
}

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
  it('is withdrawn if not taken, but not if it has ended', async () => {
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

  it('that ends while being withdrawn keeps its result', async () => {
    const { queue, taker } = await queueAndTaker(server().address, 'assay-withdrawing')
    const ids = Array.from({ length: 30 }, (_, at) => `p${at}`)
    await queue.add(ids.map(id => ({ id, data: {} })))
    for (const _ of ids) {
      const job = await taken(taker)
      const [isWithdrawn] = await Promise.all([queue.withdraw(job.id), job.finish(['result'])])
      expect(isWithdrawn).toBe(false)
      expect(await queue.find(job.id)).toMatchObject({ state: 'done', result: ['result'] })
    }
  })

  it('is either withdrawn or taken, even if both are tried at once', async () => {
    const { queue, taker } = await queueAndTaker(server().address, 'assay-either')
    for (let at = 0; at < 30; at++) {
      const [id, next] = [`p${at}`, `next${at}`]
      await queue.add([id, next].map(one => ({ id: one, data: {} })))
      const both = [() => queue.withdraw(id), () => taken(taker)] as const
      const [isWithdrawn, job] = at % 2 === 0 ? await Promise.all([both[0](), both[1]()]) : await swapped(both)
      expect(job.id).toBe(isWithdrawn ? next : id)
      await job.finish([])
      if (!isWithdrawn) await (await taken(taker)).finish([])
    }
  })

  it('that ends during a lookup is found with its result, or as not ended', async () => {
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
