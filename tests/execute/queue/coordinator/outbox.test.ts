import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Outbox } from '../../../../src/execute/queue/coordinator/outbox.ts'
import { openQueueServer } from '../../../../src/execute/queue/server/open-server.ts'
import type { TakenJob } from '../../../../src/execute/queue/server/server.ts'
import { readParcel } from '../../../../src/execute/queue/wire-result.ts'
import { packWork } from '../../../../src/execute/work-package.ts'
import { experimentWith, jobWith, settingOf } from '../../../perform/support.ts'
import { temporaryDirectory } from '../../../process/support.ts'
import type { TestServer } from '../../../support/queue-servers.ts'
import { onServers, taken } from '../on-servers.ts'

onServers('the outbox', server => {
  it('resends an unconfirmed parcel, which is performed once', async () => {
    const line = await lineTo(server())
    const coordinator = await openQueueServer(line.address)
    const worker = await openQueueServer(server().address)
    const queue = await coordinator.jobs('assay-resent')
    const taker = await worker.taker('assay-resent')
    onTestFinished(async () => {
      await Promise.allSettled([queue.close(), taker.close()])
      await Promise.allSettled([coordinator.close(), worker.close()])
      line.close()
    })
    const experiment = experimentWith({ kind: 'command', command: ['true'] })
    const work = packWork(settingOf(experiment, join(temporaryDirectory(), 'e')), { hash: 'f', parts: {} })
    const outbox = new Outbox(
      coordinator,
      { of: () => queue, all: [{ jobs: queue }] },
      work,
      () => 1,
      () => undefined,
      0,
    )
    const tokensOf = ({ data }: TakenJob) => readParcel(data)?.jobs.map(({ token }) => token)
    // Redis learns the script that removes jobs when it is first called.
    await queue.forget(['none'])
    line.loseAnswersTo('first-token')
    outbox.add(jobWith({ token: 'first-token' }))
    const first = await taken(taker)
    expect(tokensOf(first)).toEqual(['first-token'])
    await first.finish([])
    outbox.isBack('first-token')
    // By now the result is known: data no longer needed on the server is removed with the next job.
    outbox.add(jobWith({ token: 'second-token' }))
    await expect.poll(() => line.isStill()).toBe(true)
    line.cut()
    expect(tokensOf(await taken(taker))).toEqual(['second-token'])
    outbox.isBack('second-token')
    outbox.add(jobWith({ token: 'third-token' }))
    await expect.poll(() => queue.find(first.id)).toBe(null)
  })
})

/** A way to the server on which answers can get lost. */
async function lineTo({ port, address }: TestServer) {
  let lost: string | null = null
  const deaf = new Set<Socket>()
  const all = new Set<Socket>()
  let heardAt = performance.now()
  const listener = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      all.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', data => {
      heardAt = performance.now()
      if (lost !== null && data.includes(lost)) {
        lost = null
        deaf.add(near)
      }
      far.write(data)
    })
    far.on('data', data => {
      if (!deaf.has(near)) near.write(data)
    })
  }).listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const place = listener.address()
  const url = new URL(address)
  url.port = String(typeof place === 'object' ? place?.port : '')
  return {
    address: url.href,
    /** Applied to data that contains this text, on its connection. */
    loseAnswersTo(text: string) {
      lost = text
    },
    /** Whether the expected data has been sent. */
    isStill: () => deaf.size > 0 && performance.now() - heardAt > 100,
    cut() {
      for (const socket of deaf) socket.destroy()
    },
    close() {
      listener.close()
      for (const socket of all) socket.destroy()
    },
  }
}
