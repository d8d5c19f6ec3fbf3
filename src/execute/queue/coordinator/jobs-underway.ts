import { onStop } from '../../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith } from '../../../define/run.ts'
import { formatDuration } from '../../../util/time.ts'
import type { JobIo } from '../../executor.ts'
import type { ToWorker } from '../messages.ts'
import { PermitDesk } from '../remote-permits.ts'
import type { JobQueue } from '../server/server.ts'
import { readEnds, type WireEnd } from '../wire-result.ts'
import type { Outbox, Parcel } from './outbox.ts'

export interface Underway {
  readonly job: Job
  readonly io: JobIo
  readonly desk: PermitDesk
  end(result: AttemptResult): void
  /** When a worker last reported it, or when it was found to be waiting. */
  heardAt: number
  /** It was taken once, by this worker. */
  worker: string | null
}

interface Parts {
  send(worker: string, message: ToWorker): void
  /** It should end. */
  stop(token: string): void
  /** Its parcel is back on the server; undefined: with an unreadable result. */
  found(job: Job, end: WireEnd | undefined): void
}

/** The jobs that a coordinator waits for. A job that no worker mentions is looked up, and given up if it was taken. */
export class JobsUnderway {
  readonly #outbox: Outbox
  readonly #goneMs: number
  readonly #parts: Parts
  readonly #jobs = new Map<string, Underway>()
  #isLooking = false

  constructor(outbox: Outbox, goneMs: number, parts: Parts) {
    this.#outbox = outbox
    this.#goneMs = goneMs
    this.#parts = parts
  }

  get size(): number {
    return this.#jobs.size
  }

  /** How many of them are in a queue. */
  countIn(queue: JobQueue): number {
    let count = 0
    for (const token of this.#jobs.keys()) if (this.#outbox.parcelOf(token)?.queue === queue) count++
    return count
  }

  get(token: string): Underway | undefined {
    return this.#jobs.get(token)
  }

  /** Resolves when its result has arrived. */
  wait(job: Job, io: JobIo): Promise<AttemptResult> {
    const { token } = job
    return new Promise(resolve => {
      const forget = onStop(io.signal, () => this.#parts.stop(token))
      this.#jobs.set(token, {
        job,
        io,
        desk: new PermitDesk(io.permits, (worker, message) => this.#parts.send(worker, message)),
        end: result => {
          forget()
          this.#jobs.delete(token)
          resolve(result)
        },
        heardAt: performance.now(),
        worker: null,
      })
      if (io.signal.aborted) this.#parts.stop(token)
    })
  }

  /** A worker has it. Returns whether it is still waited for. */
  heardOf(token: string, worker: string): boolean {
    const underway = this.#jobs.get(token)
    if (underway === undefined) return false
    underway.heardAt = performance.now()
    underway.worker = worker
    return true
  }

  /** No job is given up for the time during which the connection was down. */
  hold(now: number): void {
    for (const underway of this.#jobs.values()) underway.heardAt = Math.max(underway.heardAt, now - this.#goneMs)
  }

  /** Reminds workers of jobs that should end, and looks up those that no worker mentions. */
  look(): void {
    for (const [token, { io }] of this.#jobs) if (io.signal.aborted) this.#parts.stop(token)
    if (this.#isLooking) return
    this.#isLooking = true
    this.#lookUp(this.#silentParcels())
      // The server can't be reached: they are looked up again later.
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false
      })
  }

  /**
   * Jobs that should end while no worker can be told: they may continue, and the next coordinator accepts their
   * results.
   */
  giveUpStopped(where: string): void {
    for (const underway of [...this.#jobs.values()])
      if (underway.io.signal.aborted)
        underway.end(lost(underway.job, `it was to end, but ${where} could not be reached to tell its worker`))
  }

  #silentParcels(): ReadonlySet<Parcel> {
    const now = performance.now()
    const goneMs = this.#goneMs
    const parcels = new Set<Parcel>()
    for (const [token, { heardAt }] of this.#jobs) {
      const parcel = this.#outbox.parcelOf(token)
      if (parcel === null || !parcel.isSent) continue
      const isDue = now - heardAt > 0.3 * goneMs && now - parcel.checkedAt > 0.3 * goneMs
      const isGone = now - heardAt > goneMs && parcel.checkedAt - heardAt < goneMs
      if (isDue || isGone) parcels.add(parcel)
    }
    return parcels
  }

  async #lookUp(parcels: Iterable<Parcel>): Promise<void> {
    for (const parcel of parcels) {
      parcel.checkedAt = performance.now()
      const found = await this.#outbox.find(parcel.id)
      const jobs = [...parcel.jobs.values()]
      if (found?.state === 'done') {
        const ends = readEnds(found.result)
        for (const job of jobs) this.#parts.found(job, ends?.get(job.token))
      } else for (const { token } of jobs) this.#judge(token, found?.state === 'waiting')
    }
  }

  /** It may be waiting, or lost with its worker. */
  #judge(token: string, isWaiting: boolean): void {
    const underway = this.#jobs.get(token)
    const now = performance.now()
    if (underway === undefined) this.#outbox.isOver(token)
    else if (isWaiting) underway.heardAt = now
    else if (now - underway.heardAt > this.#goneMs) {
      this.#outbox.isOver(token)
      underway.end(this.#lost(underway))
    }
  }

  #lost({ job, worker }: Underway): AttemptResult {
    const time = formatDuration(this.#goneMs)
    const message = `no message from its worker${worker === null ? '' : ` (${worker})`} for ${time}`
    return lost(job, message)
  }
}

const lost = (job: Job, message: string): AttemptResult => ({
  ...resultWith(job, { kind: 'cancelled', error_class: 'lost', message }),
  cost_usd: null,
})
