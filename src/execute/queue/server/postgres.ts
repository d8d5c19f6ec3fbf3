import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq'
import pg from 'pg'
import { type BullParts, bullJobs, bullTaker } from './bull.ts'
import { channelOver, type Wire } from './channel.ts'
import type { QueueServer } from './server.ts'

/** The interval between attempts to reach a server that is restarting. */
const retryMs = 500
const connectMs = 10_000

export async function openPostgres(address: string, where: string): Promise<Omit<QueueServer, 'goneMs'>> {
  const settings = { connectionString: address, connectionTimeoutMillis: connectMs, keepAlive: true }
  await migrate(settings)
  // Each of BullMQ's objects has a few connections of its own, made on demand.
  const connection = { connection: { ...settings, max: 4, Client: PatientClient } }
  const parts: BullParts = {
    // BullMQ's types know only its Redis backend by default.
    queue: name => new Queue(name, connection as never, createPostgresBackend as never),
    worker: (name, options) =>
      new Worker(name, null, { ...connection, ...options } as never, createPostgresBackend as never),
    removeWaiting: async (name, id) => (await listening.query(removeWaiting, [name, id])) === 1,
  }
  const listening = listen(settings, (topic, text) => channel.arrive(topic, text))
  const channel = channelOver(listening)
  await listening.ready
  return {
    where,
    channel,
    async jobs(name) {
      await listening.silence(name)
      return bullJobs(parts, name)
    },
    taker: name => bullTaker(parts, name),
    close: () => channel.close(),
  }
}

/**
 * A broken connection emits an error to pending callers, and then once more with no listener: that second error would
 * end the process.
 */
class PatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** Creates BullMQ's tables if they are missing; several processes may do so at the same time. */
async function migrate(settings: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(settings)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await runMigrations(client)
  } finally {
    // A client refused before it sent a password keeps its connection, and the process, open for a minute.
    await client.end().catch(() => undefined)
  }
}

/**
 * Every notification wakes every listening connection, whatever it listens to: several per job would cost more with
 * every worker. BullMQ sends a job's events only while no other process holds this lock of their queue; assay gets them
 * in other ways.
 */
const silenced = "SELECT pg_try_advisory_lock(hashtext('bullmq:evnotify:' || $1))"

/**
 * A worker that takes it at the same moment waits for this statement, and then finds the job gone, or has changed its
 * state first.
 */
const removeWaiting = `DELETE FROM bullmq.job WHERE queue = $1 AND id = $2 AND state = 'waiting'`

/** One listening connection, made again when it breaks. */
function listen(
  settings: pg.ClientConfig,
  arrive: (topic: string, text: string) => void,
): Wire & {
  readonly ready: Promise<void>
  silence(queue: string): Promise<void>
  /** The number of rows affected; null: the connection is down. */
  query(text: string, values: readonly string[]): Promise<number | null>
} {
  const topics = new Set<string>()
  const silent = new Set<string>()
  let client: pg.Client | null = null
  let connectedSince: number | null = null
  let isClosed = false
  const quoted = (topic: string) => `"${topic}"`
  const connect = async (): Promise<void> => {
    const next = new pg.Client(settings)
    next.on('notification', ({ channel: topic, payload = '' }) => arrive(topic, payload))
    const broken = () => {
      if (client !== next) return
      client = null
      connectedSince = null
      next.end().catch(() => undefined)
      again()
    }
    next.on('error', broken)
    next.on('end', broken)
    await next.connect()
    client = next
    for (const topic of topics) await next.query(`LISTEN ${quoted(topic)}`)
    for (const queue of silent) await next.query(silenced, [queue])
    connectedSince = performance.now()
  }
  /** One at a time: a client accepts no second query while it works on the first. */
  let last: Promise<unknown> = Promise.resolve()
  const query = (text: string, values: readonly string[] = []): Promise<number | null> => {
    const asked = client
    const next = last.then(async () =>
      asked === null || asked !== client ? null : (await asked.query(text, [...values])).rowCount,
    )
    last = next.catch(() => undefined)
    return next
  }
  const again = () => {
    if (isClosed) return
    setTimeout(() => {
      if (!isClosed) connect().catch(again)
    }, retryMs).unref()
  }
  return {
    ready: connect(),
    query,
    get connectedSince() {
      return connectedSince
    },
    async publish(topic, text) {
      await query('SELECT pg_notify($1, $2)', [topic, text])
    },
    async silence(queue) {
      if (silent.has(queue)) return
      silent.add(queue)
      await query(silenced, [queue]).catch(() => undefined)
    },
    async subscribe(topic) {
      topics.add(topic)
      // If the connection breaks now, the next one listens to it.
      await query(`LISTEN ${quoted(topic)}`).catch(() => undefined)
    },
    async unsubscribe(topic) {
      topics.delete(topic)
      await query(`UNLISTEN ${quoted(topic)}`)
    },
    async close() {
      isClosed = true
      await last
      const closing = client
      client = null
      await closing?.end().catch(() => undefined)
    },
  }
}
