import { createPostgresBackend, Queue, runMigrations, Worker } from 'bullmq'
import pg from 'pg'
import { type BullParts, bullJobs, bullTaker } from './bull.ts'
import { channelOver, type Wire } from './channel.ts'
import type { QueueServer } from './server.ts'

/** How long a server that is just being restarted is waited for, again and again. */
const againMs = 500
const connectMs = 10_000

export async function openPostgres(address: string, where: string): Promise<Omit<QueueServer, 'goneMs'>> {
  const settings = { connectionString: address, connectionTimeoutMillis: connectMs, keepAlive: true }
  await migrate(settings)
  // Each of BullMQ's objects has a few connections of its own, made when they are needed.
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
 * A connection that breaks tells whoever waits for an answer, and then once more, when nobody listens: that second time
 * would end the process.
 */
class PatientClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** Makes BullMQ's tables, or leaves them as they are; several processes may do so at once. */
async function migrate(settings: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(settings)
  client.on('error', () => undefined)
  try {
    await client.connect()
    await runMigrations(client)
  } finally {
    // One that was refused before it sent a password keeps its line, and the process, for a minute.
    await client.end().catch(() => undefined)
  }
}

/**
 * Every notification wakes every connection that listens, to whatever: several for each job would cost the more, the more
 * workers there are. BullMQ tells of a job's events only while nobody else holds this lock of their queue, and we hear of
 * them in other ways.
 */
const silenced = "SELECT pg_try_advisory_lock(hashtext('bullmq:evnotify:' || $1))"

/** A worker that takes it at the same moment waits for this, and then finds that it is gone, or has changed its state first. */
const removeWaiting = `DELETE FROM bullmq.job WHERE queue = $1 AND id = $2 AND state = 'waiting'`

/** One connection that listens, made again when it breaks. */
function listen(
  settings: pg.ClientConfig,
  arrive: (topic: string, text: string) => void,
): Wire & {
  readonly ready: Promise<void>
  silence(queue: string): Promise<void>
  /** How many rows it concerned; null: the connection is down. */
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
  /** One after the other: a client takes no second query while it works on the first. */
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
    }, againMs).unref()
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
