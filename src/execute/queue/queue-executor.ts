import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { type Outcome, onStop, stopReasonOf } from '../../define/outcome.ts'
import type { AttemptResult, Job, UnfinishedAttempt } from '../../define/run.ts'
import type { Setting } from '../../perform/perform.ts'
import { fingerprintNow } from '../../record/provenance/provenance.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { formatDuration } from '../../util/time.ts'
import { version } from '../../util/version.ts'
import type { Adopted, Executor, ExecutorListener, JobIo } from '../executor.ts'
import { LocalExecutor } from '../local.ts'
import { resultWith } from '../result-with.ts'
import { packWork, type WorkPackage } from '../work-package.ts'
import {
  everybody,
  forCoordinator,
  forEverybody,
  helloMs,
  type ToCoordinator,
  type ToEverybody,
  type ToWorker,
  topicOf,
  type WorkerHello,
} from './messages.ts'
import { PermitDesk } from './remote-permits.ts'
import { unpackFiles } from './run-files.ts'
import type { JobQueue, QueueServer } from './server.ts'
import { readJob, readWireResult, type WireJob } from './wire-result.ts'

/** Where work packages are, by their hash: no worker takes jobs from there. */
export const packageQueue = 'assay-packages'

/** In a directory that a worker sees as well, and with the coordinator's id in it: files need no carrying. */
export const sharedMark = '.coordinator'

/** When it is time to say that nobody is there to take jobs. */
const lonelyMs = 5_000
/** A result is removed from the server this long after it was handed on: by then the journal has it. */
const keepMs = 5_000

interface Underway {
  readonly job: Job
  readonly io: JobIo
  readonly desk: PermitDesk
  end(result: AttemptResult): void
  /** When a worker was last heard to have it, or when it was found to be waiting. */
  heardAt: number
  lookedAt: number
  /** It was taken once, by this worker. */
  worker: string | null
}

interface Seen {
  readonly hello: WorkerHello
  readonly at: number
}

/**
 * Hands jobs to workers on other machines, through BullMQ. BullMQ stores and hands out; whether a worker is alive is judged
 * by what is heard from it, never by comparing clocks; what becomes of a lost attempt is for the engine to say.
 */
export class QueueExecutor implements Executor {
  readonly #server: QueueServer
  readonly #queue: JobQueue
  readonly #name: string
  readonly #id = randomBytes(8).toString('hex')
  readonly #local: LocalExecutor
  readonly #jobs = new Map<string, Underway>()
  readonly #workers = new Map<string, Seen>()
  readonly #told = new Set<string>()
  /** Results that were handed on, and when: oldest first. */
  readonly #handedOn = new Map<string, number>()
  readonly #openedAt = performance.now()
  readonly #cwd: string
  #setting: Setting
  #package: WorkPackage
  #most: number | null
  #toAdd: Job[] = []
  #isAdding = false
  #isLooking = false
  #listener: ExecutorListener | null = null
  #timer: NodeJS.Timeout | undefined

  private constructor(server: QueueServer, queue: JobQueue, name: string, setting: Setting, options: QueueOptions) {
    this.#server = server
    this.#queue = queue
    this.#name = name
    this.#setting = setting
    this.#cwd = options.cwd
    this.#package = packWork(setting, fingerprintNow(setting, options.cwd))
    this.#most = options.mostJobs
    this.#local = new LocalExecutor(setting, 0)
  }

  static async open(server: QueueServer, setting: Setting, options: QueueOptions): Promise<QueueExecutor> {
    const name = `assay-${options.id}`
    return new QueueExecutor(server, await server.jobs(name), name, setting, options)
  }

  async #begin(): Promise<void> {
    const { channel } = this.#server
    await this.#storePackage()
    writeFileSync(join(this.#setting.dir, sharedMark), this.#id)
    await channel.listen(
      everybody,
      forEverybody(message => this.#hearAll(message)),
    )
    await channel.listen(
      topicOf(this.#id),
      forCoordinator(message => this.#hear(message)),
    )
    this.#sendAll({ t: 'who' })
    this.#announce()
    let ticks = 0
    this.#timer = setInterval(() => {
      if (++ticks % 4 === 0) this.#announce()
      this.#tick()
    }, helloMs(this.#server.goneMs) / 4)
  }

  /** Those that the workers offer, and no more than were asked for. */
  get slots(): number {
    const offered = this.#present().reduce((sum, { slots }) => sum + slots, 0)
    return this.#most === null ? offered : Math.min(offered, this.#most)
  }

  resize(slots: number): void {
    if (this.#most !== null) this.#most = slots
  }

  follow(experiment: Experiment): void {
    this.#local.follow(experiment)
    const setting = { ...this.#setting, experiment: { ...this.#setting.experiment, python: experiment.python } }
    const next = packWork(setting, fingerprintNow(setting, this.#cwd))
    if (next.hash === this.#package.hash) return
    this.#setting = setting
    this.#package = next
    // Jobs that name it wait in `#add` until it is there.
    this.#add()
  }

  /** A few more than slots wait on the server, so that no worker has to wait for the next. */
  free(): number {
    const { slots } = this
    const ahead = this.#most === null ? Math.ceil(slots / 2) : 0
    return Math.max(0, slots + ahead - this.#jobs.size)
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
    this.#begin().catch(error => listener.notice(`the queue: ${messageOf(error)}`))
  }

  start(job: Job, io: JobIo): Promise<AttemptResult> {
    this.#forgetResults()
    this.#toAdd.push(job)
    this.#add()
    return this.#await(job, io)
  }

  async adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    const found = await Promise.all(
      unfinished.map(async attempt => ({ attempt, job: await this.#find(attempt.token) })),
    )
    const elsewhere = found.flatMap(({ attempt, job }) => (job === null ? [] : [{ attempt, job }]))
    // Of those that the server does not know some may have been performed here, by another executor.
    const here = found.filter(({ job }) => job === null).map(({ attempt }) => attempt)
    return [...(await this.#local.adopt(here)), ...elsewhere.map(({ attempt, job }) => this.#adopted(attempt, job))]
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    this.#sendAll({ t: 'gone', id: this.#id })
    rmSync(join(this.#setting.dir, sharedMark), { force: true })
    try {
      if (this.#jobs.size === 0) await this.#queue.clear()
    } catch {
      // What is left on a server that is gone harms nobody: names are never used again.
    }
    await this.#queue.close().catch(() => undefined)
    await this.#server.close().catch(() => undefined)
    await this.#local.close()
  }

  #find(token: string) {
    return persist(() => this.#queue.find(token))
  }

  #adopted(attempt: UnfinishedAttempt, found: NonNullable<Awaited<ReturnType<JobQueue['find']>>>): Adopted {
    const { token } = attempt
    const { job } = readJob(found.data)
    if (found.state === 'done') return { kind: 'finished', token, result: this.#received(job, found.result) }
    return { kind: 'running', token, attach: io => this.#await(job, io) }
  }

  #await(job: Job, io: JobIo): Promise<AttemptResult> {
    const { token } = job
    const now = performance.now()
    return new Promise(resolve => {
      const forget = onStop(io.signal, () => void this.#stop(token))
      this.#jobs.set(token, {
        job,
        io,
        desk: new PermitDesk(io.permits, (worker, message) => this.#send(worker, message)),
        end: result => {
          forget()
          this.#jobs.delete(token)
          resolve(result)
        },
        heardAt: now,
        lookedAt: now,
        worker: null,
      })
      if (io.signal.aborted) void this.#stop(token)
    })
  }

  /** Everything that is to be started at the same moment is added in one go, and again until the server takes it. */
  #add(): void {
    if (this.#isAdding) return
    this.#isAdding = true
    setImmediate(async () => {
      let stored = ''
      while (this.#toAdd.length > 0 || stored !== this.#package.hash) {
        const jobs = this.#toAdd.filter(({ token }) => this.#jobs.has(token))
        this.#toAdd = []
        const { hash } = this.#package
        await persist(() => this.#storePackage())
        stored = hash
        const wired = jobs.map(job => ({ id: job.token, data: { package: hash, job } satisfies WireJob }))
        if (wired.length > 0) await persist(() => this.#queue.add(wired))
      }
      this.#isAdding = false
    })
  }

  #stored = ''

  async #storePackage(): Promise<void> {
    const { hash } = this.#package
    if (hash === this.#stored) return
    const packages = await this.#server.jobs(packageQueue)
    try {
      if ((await packages.find(hash)) === null) await packages.add([{ id: hash, data: this.#package }])
    } finally {
      await packages.close()
    }
    this.#stored = hash
  }

  #deliver(token: string, data: unknown): void {
    if (this.#handedOn.has(token)) return
    this.#handedOn.set(token, performance.now())
    const underway = this.#jobs.get(token)
    const late = underway === undefined ? readWireResult(data) : null
    underway?.end(this.#received(underway.job, data))
    if (late !== null) this.#listener?.late(late.result)
  }

  /** Long results are read from the server. What goes wrong there is found when the job is looked up. */
  async #fetch(token: string, result: unknown): Promise<void> {
    if (result !== null) this.#deliver(token, result)
    else {
      const found = await this.#queue.find(token).catch(() => null)
      if (found?.state === 'done') this.#deliver(token, found.result)
    }
  }

  /** What came from elsewhere is laid down as if it had happened here. */
  #received(job: Job, data: unknown): AttemptResult {
    const wire = readWireResult(data)
    if (wire === null || wire.result.token !== job.token)
      return resultWith(
        job,
        infra('unreadable_result', 'a worker sent a result that this version of assay can not read'),
      )
    if (wire.files === null) return wire.result
    try {
      unpackFiles(this.#setting.dir, job, wire.files)
      return wire.result
    } catch (error) {
      const message = `the files of ${job.run.name} could not be written: ${messageOf(error)}`
      return { ...wire.result, outcome: infra('cannot_write', message) }
    }
  }

  /** By the time another job is started, the results before it are in the journal. */
  #forgetResults(): void {
    const now = performance.now()
    const gone: string[] = []
    for (const [token, at] of this.#handedOn) {
      if (now - at < keepMs) break
      gone.push(token)
      this.#handedOn.delete(token)
    }
    if (gone.length > 0) this.#queue.forget(gone).catch(() => undefined)
  }

  async #stop(token: string): Promise<void> {
    const underway = this.#jobs.get(token)
    if (underway === undefined) return
    const reason = stopReasonOf(underway.io.signal)
    if (reason === null) return
    const isWithdrawn =
      this.#toAdd.some(job => job.token === token) || (await this.#queue.withdraw(token).catch(() => false))
    if (isWithdrawn) underway.end(resultWith(underway.job, reason))
    else for (const { id } of this.#present()) this.#send(id, { t: 'stop', token, reason })
  }

  #hearAll(message: ToEverybody): void {
    if (message.t === 'who') this.#announce()
    else if (message.t === 'gone') this.#workers.delete(message.id)
    else if (message.t === 'worker') this.#hearWorker(message)
  }

  #hearWorker(hello: WorkerHello): void {
    const now = performance.now()
    if (!this.#workers.has(hello.id)) this.#told.delete('lonely')
    this.#workers.set(hello.id, { hello, at: now })
    const refusal = hello.refused.find(({ queue }) => queue === this.#name)
    const who = `the worker ${hello.id} on ${hello.machine.host}`
    if (hello.version !== version)
      this.#tell(`version ${hello.id}`, `${who} is of assay ${hello.version}, this is ${version}: it gets no runs`)
    else if (refusal !== undefined)
      this.#tell(`refused ${hello.id} ${refusal.reason}`, `${who} takes no runs: ${refusal.reason}`)
    for (const token of hello.jobs.find(({ queue }) => queue === this.#name)?.tokens ?? []) {
      const underway = this.#jobs.get(token)
      if (underway === undefined) this.#disown(hello.id, token)
      else {
        underway.heardAt = now
        underway.worker = `${hello.id} on ${hello.machine.host}`
      }
    }
  }

  /** It was given up while nothing was heard of it: another attempt has its place. A result just handed on is not meant. */
  #disown(worker: string, token: string): void {
    if (this.#handedOn.has(token)) return
    this.#send(worker, {
      t: 'stop',
      token,
      reason: { kind: 'cancelled', message: 'another attempt has taken its place' },
    })
  }

  #hear(message: ToCoordinator): void {
    const underway = this.#jobs.get(message.token)
    if (underway !== undefined) underway.heardAt = performance.now()
    if (message.t === 'done') void this.#fetch(message.token, message.result ?? null)
    if (underway === undefined || message.t === 'done') return
    const { io, desk } = underway
    if (message.t === 'points') for (const point of message.points) io.onPoint(point)
    else if (message.t === 'note') io.onNote(message.message)
    else if (message.t === 'model') io.modelIds.set(message.model, message.id)
    else if (message.t === 'beyond') io.beyondBound?.set(message.model, message.id)
    else desk.hear(message)
  }

  /** Who can take jobs of this experiment. */
  #present(): readonly WorkerHello[] {
    return [...this.#workers.values()]
      .map(({ hello }) => hello)
      .filter(
        ({ is_draining, refused, version: theirs }) =>
          theirs === version && !is_draining && !refused.some(({ queue }) => queue === this.#name),
      )
  }

  #tick(): void {
    const now = performance.now()
    const { goneMs } = this.#server
    // How often jobs that nobody mentions are looked up on the server.
    const lookMs = 0.3 * goneMs
    const since = this.#server.channel.connectedSince
    // Silence says nothing while nothing could be heard.
    if (since === null || now - since < goneMs) this.#hold(now)
    else for (const [id, { at }] of this.#workers) if (now - at > goneMs) this.#workers.delete(id)
    if (this.#present().length === 0 && now - this.#openedAt > lonelyMs)
      this.#tell('lonely', `no worker is there; start some: assay worker --queue ${this.#server.where}`)
    for (const [token, underway] of this.#jobs) {
      if (underway.io.signal.aborted) void this.#stop(token)
      if (now - underway.heardAt > lookMs && now - underway.lookedAt > lookMs) void this.#look(token, underway)
    }
  }

  /** Nobody is given up for the time in which the connection was down. */
  #hold(now: number): void {
    for (const [id, { hello }] of this.#workers) this.#workers.set(id, { hello, at: now })
    for (const underway of this.#jobs.values()) underway.heardAt = Math.max(underway.heardAt, now - this.#server.goneMs)
  }

  /** No worker mentions it: it may be waiting, done, or lost with its worker. */
  async #look(token: string, underway: Underway): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    try {
      underway.lookedAt = performance.now()
      const found = await this.#queue.find(token)
      if (!this.#jobs.has(token) || this.#toAdd.some(job => job.token === token)) return
      const now = performance.now()
      if (found?.state === 'done') this.#deliver(token, found.result)
      else if (found?.state === 'waiting') underway.heardAt = now
      else if (now - underway.heardAt > this.#server.goneMs) underway.end(this.#lost(underway))
    } catch {
      // The server is away: it is looked up again.
    } finally {
      this.#isLooking = false
    }
  }

  #lost({ job, worker }: Underway): AttemptResult {
    const message = `nothing was heard of its worker${worker === null ? '' : ` (${worker})`} for ${formatDuration(this.#server.goneMs)}`
    return { ...resultWith(job, { kind: 'cancelled', error_class: 'lost', message }), cost_usd: null }
  }

  #tell(key: string, message: string): void {
    if (this.#told.has(key) || this.#listener === null) return
    this.#told.add(key)
    this.#listener.notice(message)
  }

  #announce(): void {
    const { name } = this.#setting.experiment
    this.#sendAll({
      ...{ t: 'coordinator', id: this.#id, queue: this.#name, name, host: hostname(), version },
      ...{ package: this.#stored, gone_ms: this.#server.goneMs },
    })
  }

  #sendAll(message: ToEverybody): void {
    this.#server.channel.send(everybody, message)
  }

  #send(worker: string, message: ToWorker): void {
    this.#server.channel.send(topicOf(worker), message)
  }
}

export interface QueueOptions {
  /** Of the experiment: its jobs are apart from those of others. */
  readonly id: string
  readonly cwd: string
  /** How many jobs at once at the most; null: as many as workers offer slots. */
  readonly mostJobs: number | null
}

/** Tries again until the server answers: it may be restarted while an experiment goes on. */
async function persist<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AssayError) throw error
      await new Promise(resolve => setTimeout(resolve, Math.min(5_000, 100 * 2 ** tries)))
    }
  }
}

const infra = (error_class: string, message: string): Outcome => ({ kind: 'infra_error', error_class, message })
