import { once } from 'node:events'
import { Queue, Worker } from 'bullmq'
import { Redis } from 'ioredis'
import { type BullParts, bullJobs, bullTaker } from './bull.ts'
import { channelOver, type Wire } from './channel.ts'
import type { QueueServer } from './server.ts'

const connectMs = 10_000

export async function openRedis(address: string, where: string): Promise<Omit<QueueServer, 'goneMs'>> {
  const settings = { maxRetriesPerRequest: null, connectTimeout: connectMs }
  await refuseUnreachable(address)
  const parts: BullParts = {
    queue: name => new Queue(name, { connection: { url: address, ...settings } }),
    worker: (name, options) => new Worker(name, null, { connection: { url: address, ...settings }, ...options }),
    removeWaiting: (name, id) => wire.removeWaiting(`bull:${name}:wait`, `bull:${name}:${id}`, id),
  }
  const wire = subscribed(address, settings, (topic, text) => channel.arrive(topic, text))
  const channel = channelOver(wire)
  // A message sent earlier would be lost.
  await wire.ready
  return {
    where,
    channel,
    jobs: name => bullJobs(parts, name),
    taker: name => bullTaker(parts, name),
    close: () => channel.close(),
  }
}

/** Tried once, without waiting: later connections do wait for a server that is restarting. */
async function refuseUnreachable(address: string): Promise<void> {
  const redis = new Redis(address, { lazyConnect: true, retryStrategy: () => null, connectTimeout: connectMs })
  let failure: unknown = null
  redis.on('error', error => {
    failure ??= error
  })
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    const cause = failure ?? error
    const code = cause instanceof Error ? /^(WRONGPASS|NOAUTH)/.exec(cause.message)?.[1] : undefined
    throw code === undefined ? cause : Object.assign(new RedisRefusal(code), { cause })
  } finally {
    redis.disconnect()
  }
}

/** Redis puts its code at the beginning of the message. */
class RedisRefusal extends Error {
  readonly code: string
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/** Only from the list of waiting jobs. */
const removeWaiting =
  "if redis.call('LREM', KEYS[1], 1, ARGV[1]) == 0 then return 0 end return redis.call('DEL', KEYS[2])"

/** A subscribing connection can do nothing else, so another one publishes. */
function subscribed(
  address: string,
  settings: object,
  arrive: (topic: string, text: string) => void,
): Wire & { readonly ready: Promise<unknown>; removeWaiting(list: string, job: string, id: string): Promise<boolean> } {
  const [listening, sending] = [new Redis(address, settings), new Redis(address, settings)]
  let connectedSince: number | null = null
  listening.on('ready', () => {
    connectedSince = performance.now()
  })
  listening.on('close', () => {
    connectedSince = null
  })
  for (const one of [listening, sending]) one.on('error', () => undefined)
  listening.on('message', arrive)
  return {
    ready: Promise.all([listening, sending].map(one => once(one, 'ready'))),
    get connectedSince() {
      return connectedSince
    },
    async publish(topic, text) {
      if (sending.status === 'ready') await sending.publish(topic, text)
    },
    async removeWaiting(list, job, id) {
      return sending.status === 'ready' && (await sending.eval(removeWaiting, 2, list, job, id)) === 1
    },
    async subscribe(topic) {
      await listening.subscribe(topic)
    },
    async unsubscribe(topic) {
      await listening.unsubscribe(topic)
    },
    async close() {
      listening.disconnect()
      if (sending.status === 'ready') await sending.quit().catch(() => undefined)
      sending.disconnect()
    },
  }
}
