import type { Job, Queue, Worker } from 'bullmq'
import { messageOf } from '../../../util/errors.ts'
import { askMs, type FoundJob, type JobQueue, type JobTaker, type QueuedJob, type TakenJob } from './server.ts'

/**
 * BullMQ's objects for one queue, made for the server in use. BullMQ only carries jobs: the engine decides about
 * attempts.
 */
export interface BullParts {
  queue(name: string): Queue
  worker(name: string, options: TakerOptions): Worker
  /**
   * Removes a waiting job in one step; false: it is not waiting. BullMQ itself removes jobs in any state, so one that
   * was taken or ended a moment before would be removed with its result.
   */
  removeWaiting(queue: string, id: string): Promise<boolean>
}

/**
 * A lock never expires: BullMQ would compare the clocks of machines. Whether a worker is alive is judged by its
 * messages.
 */
export const takerOptions = {
  autorun: false,
  lockDuration: 365 * 24 * 3_600_000,
  skipLockRenewal: true,
  skipStalledCheck: true,
  /** How many seconds a request for the next job waits for one. */
  drainDelay: askMs / 1000,
}

export type TakerOptions = typeof takerOptions

export async function bullJobs(parts: BullParts, name: string): Promise<JobQueue> {
  const queue = parts.queue(name)
  // It reconnects by itself; callers waiting for an answer get the error.
  queue.on('error', () => undefined)
  await queue.waitUntilReady()
  return {
    async add(jobs) {
      await queue.addBulk(jobs.map(({ id, data }) => ({ name: 'job', data, opts: { jobId: id, attempts: 1 } })))
    },
    async find(id) {
      // In this order: a job that ends in between is found ended with its result, not without one.
      const before = await queue.getJobState(id)
      const job = await queue.getJob(id)
      return job === undefined ? null : found(job, before)
    },
    async all() {
      const jobs = await queue.getJobs(['waiting', 'active', 'completed'])
      jobs.sort((a, b) => a.timestamp - b.timestamp)
      return jobs.flatMap(job => {
        const one = job.id === undefined ? null : found(job, 'waiting')
        return one === null || job.id === undefined ? [] : [{ ...one, id: job.id }]
      })
    },
    withdraw: id => parts.removeWaiting(name, id),
    async forget(ids) {
      await Promise.all(ids.map(id => queue.remove(id).catch(isLocked)))
    },
    async clear() {
      await queue.obliterate({ force: true })
    },
    close: () => queue.close(),
    abandon: () => void queue.disconnect().catch(() => undefined),
  }
}

/** A worker is performing it, so it stays. */
const isLocked = (error: unknown): 0 => {
  if (/lock/i.test(messageOf(error))) return 0
  throw error
}

/** `state`: where it was, unless it has ended. */
function found(job: Job, state: string): FoundJob | null {
  const data: unknown = job.data
  if (state === 'failed') return null
  if (job.finishedOn !== undefined) return { state: 'done', data, result: asData(job.returnvalue) }
  if (state === 'active') return { state: 'taken', data }
  return state === 'unknown' ? null : { state: 'waiting', data }
}

/** Redis returns results as text. */
const asData = (value: unknown): unknown => (typeof value === 'string' ? JSON.parse(value) : value)

export async function bullTaker(parts: BullParts, name: string): Promise<JobTaker> {
  const worker = parts.worker(name, takerOptions)
  worker.on('error', () => undefined)
  await worker.waitUntilReady()
  let taken = 0
  return {
    async next() {
      const token = `${worker.id}:${taken++}`
      const job: Job | undefined = await worker.getNextJob(token)
      return job === undefined ? null : takenJob(job, token)
    },
    close: () => worker.close(true),
  }
}

function takenJob(job: Job, token: string): TakenJob {
  const queued: QueuedJob = { id: job.id ?? '', data: job.data }
  return {
    ...queued,
    async finish(result) {
      await job.moveToCompleted(result, token, false)
    },
    async giveBack() {
      await job.moveToWait(token)
    },
  }
}
