import { randomBytes } from 'node:crypto'
import type { Job } from '../../../define/run.ts'
import type { WorkPackage } from '../../work-package.ts'
import { persist } from '../server/persist.ts'
import { type FoundJob, type JobQueue, packageQueue, type QueuedJob, type QueueServer } from '../server/server.ts'
import type { WireParcel } from '../wire-result.ts'

/** Jobs that travel together. */
export interface Parcel {
  readonly id: string
  readonly queue: JobQueue
  /** The jobs that have not come back, by token. */
  readonly jobs: Map<string, Job>
  /** Whether the server has it. */
  isSent: boolean
  /** When the server was last asked about it. */
  checkedAt: number
}

/** Where jobs go: those with the same needs are together. */
export interface JobQueues {
  of(job: Job): JobQueue
  readonly all: readonly { readonly jobs: JobQueue }[]
}

/** A parcel is removed from the server this long after its last result was handed on: by then the journal has it. */
const defaultKeepMs = 5_000

/** The coordinator's parcels: sent to the server, withdrawn, and removed when all their jobs are back. */
export class Outbox {
  readonly #server: QueueServer
  readonly #queues: JobQueues
  readonly #together: () => number
  readonly #failed: (error: unknown) => void
  readonly #parcels = new Map<string, Parcel>()
  readonly #parcelOf = new Map<string, Parcel>()
  #package: WorkPackage
  #stored = ''
  #storing: Promise<void> | null = null
  #toSend: Job[] = []
  /** How many times a job was sent again after coming back without being started. */
  readonly #again = new Map<string, number>()
  #isSending = false
  #isClosed = false
  readonly #keepMs: number
  /** Parcels from which nothing more is expected, and since when: oldest first. */
  readonly #spent: (Pick<Parcel, 'id' | 'queue'> & { readonly at: number })[] = []

  /**
   * `together`: how many jobs go into a parcel now. `failed` gets the error when the server rejects some: they are sent
   * again.
   */
  constructor(
    server: QueueServer,
    queues: JobQueues,
    work: WorkPackage,
    together: () => number,
    failed: (error: unknown) => void,
    keepMs: number = defaultKeepMs,
  ) {
    this.#server = server
    this.#queues = queues
    this.#package = work
    this.#together = together
    this.#failed = failed
    this.#keepMs = keepMs
  }

  /** The hash of the work package on the server. */
  get storedPackage(): string {
    return this.#stored
  }

  /** Jobs name the package that is current when they are sent. */
  follow(work: WorkPackage): void {
    this.#package = work
    this.#send()
  }

  add(job: Job): void {
    this.#forgetSpent()
    this.#toSend.push(job)
    this.#send()
  }

  /** A job that came back without being started; `times`: how often it was sent, if another coordinator did so. */
  addAgain(job: Job, times = this.#again.get(job.token) ?? 0): void {
    this.#again.set(job.token, times + 1)
    this.add(job)
  }

  /** A parcel that an earlier coordinator sent. */
  know(id: string, job: Job, queue: JobQueue, times: number): void {
    if (times > 0) this.#again.set(job.token, times)
    const parcel = this.#parcels.get(id) ?? this.#made(id, queue)
    parcel.isSent = true
    this.#put(job, parcel)
  }

  /** null: there is no parcel with this id, or all of it is back. */
  parcel(id: string): Parcel | null {
    return this.#parcels.get(id) ?? null
  }

  /** null: it is not packed yet, or it is back. */
  parcelOf(token: string): Parcel | null {
    return this.#parcelOf.get(token) ?? null
  }

  /** Searches all queues: even a parcel from which nothing more is expected may have come back. */
  async find(id: string): Promise<FoundJob | null> {
    const known = this.#parcels.get(id)?.queue
    if (known !== undefined) return known.find(id)
    for (const { jobs } of this.#queues.all) {
      const found = await jobs.find(id)
      if (found !== null) return found
    }
    return null
  }

  /** Whether no worker had taken it, so that none will; others in the same parcel are sent again. */
  async withdraw(token: string): Promise<boolean> {
    const waiting = this.#toSend.findIndex(job => job.token === token)
    if (waiting >= 0) return this.#toSend.splice(waiting, 1).length > 0
    const parcel = this.parcelOf(token)
    if (parcel === null || !parcel.isSent) return false
    if (!(await parcel.queue.withdraw(parcel.id).catch(() => false))) return false
    const others = [...parcel.jobs.values()].filter(job => job.token !== token)
    for (const job of parcel.jobs.values()) this.#parcelOf.delete(job.token)
    this.#parcels.delete(parcel.id)
    this.#again.delete(token)
    for (const job of others) this.add(job)
    return true
  }

  /** Its result has arrived, or it is given up. */
  isOver(token: string): void {
    this.#again.delete(token)
    this.isBack(token)
  }

  /** Nothing more is expected from its parcel. */
  isBack(token: string): void {
    const parcel = this.#parcelOf.get(token)
    this.#parcelOf.delete(token)
    if (parcel === undefined || !parcel.jobs.delete(token) || parcel.jobs.size > 0) return
    // If the reply to sending it was lost, it is sent again: if it were removed by then, it would be performed again.
    if (parcel.isSent) this.#isSpent(parcel)
  }

  #isSpent({ id, queue }: Parcel): void {
    this.#parcels.delete(id)
    this.#spent.push({ id, queue, at: performance.now() })
  }

  /** Stored once, for all callers. */
  async storePackage(): Promise<void> {
    while (this.#package.hash !== this.#stored) {
      this.#storing ??= this.#store(this.#package).finally(() => {
        this.#storing = null
      })
      await this.#storing
    }
  }

  async #store(work: WorkPackage): Promise<void> {
    const packages = await this.#server.jobs(packageQueue)
    try {
      if ((await packages.find(work.hash)) === null) await packages.add([{ id: work.hash, data: work }])
    } finally {
      await packages.close()
    }
    this.#stored = work.hash
  }

  /** A parcel that the server has not accepted by now is no longer sent: retrying would keep the process alive. */
  close(): void {
    this.#isClosed = true
  }

  async #ifOpen(work: () => Promise<void>): Promise<void> {
    if (!this.#isClosed) await persist(async () => (this.#isClosed ? undefined : work()), this.#failed)
  }

  /** Adds all jobs that start at the same moment in one call, and retries until the server accepts them. */
  #send(): void {
    if (this.#isSending) return
    this.#isSending = true
    setImmediate(async () => {
      while (!this.#isClosed && (this.#toSend.length > 0 || this.#stored !== this.#package.hash)) {
        await this.#ifOpen(() => this.storePackage())
        const jobs = this.#toSend
        this.#toSend = []
        const groups = Map.groupBy(jobs, job => this.#queues.of(job))
        for (const [queue, some] of groups) await this.#sendTo(queue, this.#packed(some, queue))
      }
      this.#isSending = false
    })
  }

  async #sendTo(queue: JobQueue, parcels: readonly QueuedJob[]): Promise<void> {
    await this.#ifOpen(() => queue.add(parcels))
    for (const { id } of parcels) {
      const parcel = this.#parcels.get(id)
      if (parcel === undefined) continue
      parcel.isSent = true
      if (parcel.jobs.size === 0) this.#isSpent(parcel)
    }
  }

  #packed(jobs: readonly Job[], queue: JobQueue): readonly QueuedJob[] {
    const parcels: { id: string; data: WireParcel }[] = []
    // Results in a parcel are stored when the last one has arrived, so a run that costs money travels alone.
    const together = jobs.some(job => (job.run_budget_usd ?? 0) > 0) ? 1 : this.#together()
    for (let at = 0; at < jobs.length; at += together) {
      const some = jobs.slice(at, at + together)
      // A letter first: BullMQ reserves whole numbers for its own ids.
      const parcel = this.#made(`p${randomBytes(9).toString('hex')}`, queue)
      for (const job of some) this.#put(job, parcel)
      const again = some.flatMap(({ token }) => {
        const times = this.#again.get(token)
        return times === undefined ? [] : [[token, times] as const]
      })
      const data = { package: this.#stored, jobs: some, ...(again.length > 0 && { again: Object.fromEntries(again) }) }
      parcels.push({ id: parcel.id, data })
    }
    return parcels
  }

  #made(id: string, queue: JobQueue): Parcel {
    const parcel = { id, queue, jobs: new Map<string, Job>(), isSent: false, checkedAt: performance.now() }
    this.#parcels.set(id, parcel)
    return parcel
  }

  #put(job: Job, parcel: Parcel): void {
    parcel.jobs.set(job.token, job)
    this.#parcelOf.set(job.token, parcel)
  }

  /** When another job is started, earlier results are in the journal. */
  #forgetSpent(): void {
    const now = performance.now()
    const kept = this.#spent.findIndex(({ at }) => now - at < this.#keepMs)
    const gone = this.#spent.splice(0, kept < 0 ? this.#spent.length : kept)
    for (const [queue, some] of Map.groupBy(gone, ({ queue }) => queue))
      queue.forget(some.map(({ id }) => id)).catch(() => undefined)
  }
}
