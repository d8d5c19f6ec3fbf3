import { afterAll, beforeAll, describe } from 'vitest'
import {
  postgresBinaries,
  redisProgram,
  startPostgres,
  startRedis,
  type TestServer,
} from '../../support/queue-servers.ts'

const kinds = [
  { name: 'Postgres', isThere: postgresBinaries() !== null, start: startPostgres },
  { name: 'Redis', isThere: redisProgram() !== null, start: startRedis },
]

/** The same on every server that is installed here; what is missing is named as skipped. */
export function onServers(what: string, tests: (server: () => TestServer) => void): void {
  for (const { name, isThere, start } of kinds) {
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
