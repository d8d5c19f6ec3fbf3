import { afterAll, beforeAll, describe } from 'vitest'
import type { JobTaker, TakenJob } from '../../../src/execute/queue/server/server.ts'
import { queueKinds, type TestServer } from '../../support/queue-servers.ts'

/** The same on every installed server; missing ones are shown as skipped. */
export function onServers(what: string, tests: (server: () => TestServer) => void): void {
  for (const { name, isThere, start } of queueKinds) {
    describe.skipIf(!isThere)(`${what} on ${name}${isThere ? '' : ': it is not installed'}`, () => {
      let server: TestServer | undefined
      beforeAll(async () => {
        server = await start()
      })
      afterAll(() => server?.stop())
      tests(() => {
        if (server === undefined) throw new Error('the server did not start')
        return server
      })
    })
  }
}

/** The next job, however long it takes to come. */
export async function taken(taker: JobTaker): Promise<TakenJob> {
  for (;;) {
    const job = await taker.next()
    if (job !== null) return job
  }
}
