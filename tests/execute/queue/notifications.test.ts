import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { workOnQueue } from '../../../src/execute/queue/machines.ts'
import { openQueueServer } from '../../../src/execute/queue/open-server.ts'
import { targetFor } from '../../../src/targets/registry.ts'
import { assay, complaint, folderWith, summaryOf } from '../../support/assay.ts'
import { postgresBinaries, startPostgres, type TestServer } from '../../support/queue-servers.ts'
import { taken } from './on-servers.ts'

/** A notification of Postgres wakes every connection that listens, so that each one costs the more, the more workers there are. */
describe.skipIf(postgresBinaries() === null)('notifications on Postgres', () => {
  let server: TestServer | undefined
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server?.stop())
  const address = () => server?.address ?? ''

  it('tells nobody of the events of jobs, which nobody asks for, after a restart of the server too', async () => {
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

  it('sends brief runs many at a time', async () => {
    const files = {
      'brief.mjs': 'export default () => new Promise(resolve => setTimeout(resolve, 30, { score: 1 }))\n',
      'experiment.yaml': 'name: brief\ntarget: { kind: function, module: brief.mjs }\nseeds: 1..400\n',
    }
    const folder = folderWith(files)
    const worker = await workOnQueue(address(), {
      ...{ slots: 8, labels: [], folder, scratch: join(folder, 'scratch'), count: null, targetFor },
      tell: () => undefined,
    })
    const ended = worker.run()
    onTestFinished(async () => {
      worker.interrupt('cancel')
      await ended
    })
    const heard = await listenTo(address(), 'bullmq_jobs')
    const cwd = folderWith(files)
    const run = await assay(['run', '--json'], { cwd, env: { ASSAY_QUEUE: address() } })
    expect(complaint(run, { cwd })).toBe('')
    expect(summaryOf(run)).toMatchObject({ completed: 400, attempts: 400 })
    const sent = (await heard.until('end')).filter(said => said.startsWith('assay-') && said !== 'assay-packages')
    expect(sent.length).toBeLessThan(60)
  })
})

/** What is said on a channel of Postgres, up to a word of our own. */
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
