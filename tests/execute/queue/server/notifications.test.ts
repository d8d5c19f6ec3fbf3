import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { openQueueServer } from '../../../../src/execute/queue/server/open-server.ts'
import { postgresBinaries, startPostgres, type TestServer } from '../../../support/queue-servers.ts'
import { taken } from '../on-servers.ts'

/** A notification of Postgres wakes every connection that listens, so that each one costs the more, the more workers there are. */
describe.skipIf(postgresBinaries() === null)('notifications on Postgres', () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())
  const address = () => server?.address ?? ''

  it('sends no unused job events, even after a restart of the server', async () => {
    const opened = await openQueueServer(address())
    const [queue, taker] = [await opened.jobs('assay-silent'), await opened.taker('assay-silent')]
    onTestFinished(async () => {
      await Promise.allSettled([queue.close(), taker.close()])
      await opened.close()
    })
    for (const round of ['first', 'second']) {
      const heard = await listenTo(address(), 'bullmq_events')
      await queue.add([{ id: `p-${round}`, data: { round } }])
      await (await taken(taker)).finish([])
      expect(await heard.until(round)).toEqual([round])
      if (round === 'second') break
      await server?.restart()
      await expect.poll(() => opened.channel.connectedSince).not.toBeNull()
    }
  })
})

/** Messages on a Postgres channel, up to our own marker. */
async function listenTo(address: string, channel: string) {
  const client = new pg.Client(address)
  client.on('error', () => undefined)
  const said: string[] = []
  client.on('notification', ({ payload = '' }) => said.push(payload))
  await client.connect()
  await client.query(`LISTEN ${channel}`)
  return {
    async until(word: string): Promise<readonly string[]> {
      await client.query('SELECT pg_notify($1, $2)', [channel, word])
      await expect.poll(() => said.at(-1)).toBe(word)
      await client.end()
      return said
    },
  }
}
