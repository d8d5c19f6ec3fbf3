import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import { stopReasonOf } from '../../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith, type UnfinishedAttempt } from '../../../define/run.ts'
import type { Setting } from '../../../perform/perform.ts'
import { writeWorkersSeen } from '../../../record/places.ts'
import { fingerprintNow } from '../../../record/provenance/provenance.ts'
import { messageOf } from '../../../util/errors.ts'
import { version } from '../../../util/version.ts'
import type { Adopted, Executor, ExecutorListener, JobIo } from '../../executor.ts'
import { LocalExecutor } from '../../local.ts'
import { withoutSecrets } from '../../secret-variables.ts'
import { packWork, type WorkPackage } from '../../work-package.ts'
import {
  type Broadcast,
  broadcastTopic,
  onBroadcast,
  onCoordinatorMessage,
  type ToCoordinator,
  type ToWorker,
  topicOf,
  type WorkerHello,
} from '../messages.ts'
import { persist } from '../server/persist.ts'
import { helloMs, type QueueServer, sharedMark } from '../server/server.ts'
import { readEnd, readEnds, readParcel, type WireEnd } from '../wire-result.ts'
import { Demand } from './demand.ts'
import { ExperimentQueues, type OpenQueue } from './experiment-queues.ts'
import { JobsUnderway } from './jobs-underway.ts'
import { Notices } from './notices.ts'
import { Outbox, type Parcel } from './outbox.ts'
import { Results } from './results.ts'
import { WorkersSeen } from './workers-seen.ts'

/**
 * Hands jobs to workers on other machines, through BullMQ, which stores and distributes them. Whether a worker is alive
 * is judged by its messages, never by comparing clocks. The engine decides what happens to a lost attempt.
 */
export class QueueExecutor implements Executor {
  readonly #server: QueueServer
  readonly #queues: ExperimentQueues
  readonly #id = randomBytes(8).toString('hex')
  readonly #local: LocalExecutor
  readonly #outbox: Outbox
  readonly #workers: WorkersSeen
  readonly #jobs: JobsUnderway
  readonly #demand: Demand
  readonly #results: Results
  readonly #notices: Notices
  readonly #late: AttemptResult[] = []
  readonly #openedAt = performance.now()
  readonly #cwd: string
  readonly #artifacts: string | undefined
  #setting: Setting
  #listener: ExecutorListener | null = null
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  /** Since when the server has been unreachable, by `performance.now()`; null: it is reachable. */
  #awaySince: number | null = null
  /** The list of workers last written to the experiment's directory, as JSON. */
  #shown = ''

  private constructor(server: QueueServer, queues: ExperimentQueues, setting: Setting, options: QueueOptions) {
    this.#server = server
    this.#queues = queues
    this.#setting = setting
    this.#cwd = options.cwd
    this.#artifacts = options.artifacts
    const work = packed(setting, options.cwd)
    const { name, search } = setting.experiment
    const countIn = ({ jobs }: OpenQueue) => this.#jobs.countIn(jobs)
    this.#notices = new Notices({ name, where: server.where, queues: queues.all, countIn })
    this.#workers = new WorkersSeen(queues.all, (key, message) => this.#notices.tell(key, message))
    this.#outbox = new Outbox(
      server,
      queues,
      work,
      () => this.#demand.parcelSize,
      error => this.#notices.ofFull(error),
    )
    this.#jobs = new JobsUnderway(this.#outbox, server.goneMs, {
      send: (worker, message) => this.#send(worker, message),
      stop: token => void this.#stop(token),
      found: (job, end) => (end === undefined ? this.#results.unreadable(job) : this.#results.deliver(end)),
    })
    this.#demand = new Demand(
      { queues: queues.all, workers: this.#workers, count: () => this.#jobs.size, countIn },
      options.mostJobs,
      search !== undefined,
    )
    this.#results = new Results({
      ...{ jobs: this.#jobs, outbox: this.#outbox, dir: setting.dir },
      took: wallS => this.#demand.took(wallS),
      late: result => this.#listener?.late(result),
    })
    this.#local = new LocalExecutor(setting, 0)
  }

  static async open(server: QueueServer, setting: Setting, options: QueueOptions): Promise<QueueExecutor> {
    const queues = await ExperimentQueues.open(server, `assay-${options.id}`, setting.experiment, setting.dir)
    return new QueueExecutor(server, queues, setting, options)
  }

  get slots(): number {
    return this.#demand.slots
  }

  resize(slots: number): void {
    this.#demand.resize(slots)
  }

  follow(experiment: Experiment): void {
    this.#local.follow(experiment)
    const setting = { ...this.#setting, experiment: { ...this.#setting.experiment, python: experiment.python } }
    this.#setting = setting
    this.#outbox.follow(packed(setting, this.#cwd))
  }

  free(): number {
    return this.#demand.free()
  }

  listen(listener: ExecutorListener): void {
    this.#listener = listener
    this.#notices.listen(listener)
    this.#queues.writeDown()
    for (const result of this.#late.splice(0)) listener.late(result)
    this.#begin().catch(error => {
      if (!this.#isClosed) listener.notice(`the queue: ${messageOf(error)}`)
    })
  }

  start(job: Job, io: JobIo): Promise<AttemptResult> {
    this.#outbox.add(job)
    return this.#jobs.wait(job, io)
  }

  async adopt(unfinished: readonly UnfinishedAttempt[]): Promise<readonly Adopted[]> {
    const onServer = new Map<string, () => Adopted>()
    const wanted = new Set(unfinished.map(({ token }) => token))
    const times = new Map<string, number>()
    for (const { jobs: queue } of this.#queues.all)
      for (const { id, data, ...found } of await persist(() => queue.all())) {
        const parcel = readParcel(data)
        const ends = found.state === 'done' ? readEnds(found.result) : null
        for (const job of parcel?.jobs ?? []) {
          const { token } = job
          const sent = parcel?.again?.[token] ?? 0
          if (!wanted.has(token)) this.#leftOver(ends?.get(token))
          // A job that came back and was sent again is in several parcels. Clocks don't tell which is the newest: they
          // may have been set.
          else if (sent >= (times.get(token) ?? 0)) {
            times.set(token, sent)
            onServer.set(token, () => this.#adopted({ id, queue, sent }, job, ends))
          }
        }
      }
    // Jobs that the server does not know may have been performed here, by another executor.
    const here = unfinished.filter(({ token }) => !onServer.has(token))
    return [...(await this.#local.adopt(here)), ...[...onServer.values()].map(adopted => adopted())]
  }

  #adopted(
    { id, queue, sent }: Pick<Parcel, 'id' | 'queue'> & { readonly sent: number },
    job: Job,
    ends: ReadonlyMap<string, WireEnd> | null,
  ): Adopted {
    const { token } = job
    if (ends === null) {
      this.#outbox.know(id, job, queue, sent)
      return { kind: 'running', token, attach: io => this.#jobs.wait(job, io) }
    }
    const end = ends.get(token)
    // A worker that left returned it.
    if (end !== undefined && 'returned' in end)
      return {
        ...{ kind: 'running', token },
        attach: io => {
          this.#outbox.addAgain(job, sent)
          return this.#jobs.wait(job, io)
        },
      }
    return { kind: 'finished', token, result: this.#results.taken(job, end) }
  }

  /** A result of a given-up attempt that came while there was no coordinator: its cost counts. */
  #leftOver(end: WireEnd | undefined): void {
    if (end !== undefined && 'result' in end) this.#late.push(end.result)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#outbox.close()
    this.#sendAll({ t: 'gone', id: this.#id })
    // If another coordinator has the experiment, this one was refused and leaves everything as it is.
    if (this.#listener !== null) this.#takeDown()
    const isHere = await within(this.#server.goneMs, this.#isAway ? null : this.#clear())
    if (!isHere) this.#queues.abandon()
    await within(this.#server.goneMs, this.#server.close())
    await this.#local.close()
  }

  #takeDown(): void {
    rmSync(join(this.#setting.dir, sharedMark), { force: true })
    writeWorkersSeen(this.#setting.dir, null)
  }

  /** Leftovers on an unreachable server do no harm: names are never used again. */
  async #clear(): Promise<void> {
    if (this.#listener !== null && this.#jobs.size === 0) await this.#queues.clear()
    await this.#queues.close()
  }

  get #isAway(): boolean {
    return this.#server.channel.connectedSince === null
  }

  async #begin(): Promise<void> {
    const { channel, goneMs } = this.#server
    // An interrupt may close it at any of these moments: a timer set afterwards would never end.
    if (this.#isClosed) return
    writeFileSync(join(this.#setting.dir, sharedMark), this.#id)
    await Promise.all([
      persist(
        async () => {
          if (!this.#isClosed) await this.#outbox.storePackage()
        },
        error => this.#notices.ofFull(error),
      ),
      channel.listen(
        broadcastTopic,
        onBroadcast(message => this.#onBroadcast(message)),
      ),
      channel.listen(
        topicOf(this.#id),
        onCoordinatorMessage(message => this.#hear(message)),
      ),
    ])
    if (this.#isClosed) return
    this.#sendAll({ t: 'who' })
    this.#announce()
    let ticks = 0
    this.#timer = setInterval(() => {
      if (++ticks % 4 === 0) this.#announce()
      this.#showWorkers()
      this.#tick()
    }, helloMs(goneMs) / 4)
  }

  /** For display only: a full or failing disk is reported elsewhere. */
  #showWorkers(): void {
    const workers = this.#workers.summaries()
    const text = JSON.stringify(workers)
    if (text === this.#shown) return
    this.#shown = text
    try {
      writeWorkersSeen(this.#setting.dir, workers)
    } catch {
      this.#shown = ''
    }
  }

  async #stop(token: string): Promise<void> {
    const underway = this.#jobs.get(token)
    const reason = underway === undefined ? null : stopReasonOf(underway.io.signal)
    // An unreachable server would be asked about each of them repeatedly, and reply when no caller is waiting any more.
    if (underway === undefined || reason === null || this.#isAway) return
    if (await this.#outbox.withdraw(token)) underway.end(resultWith(underway.job, reason))
    else for (const id of this.#workers.ids()) this.#send(id, { t: 'stop', token, reason })
  }

  #onBroadcast(message: Broadcast): void {
    if (message.t === 'who') this.#announce()
    else if (message.t === 'gone') this.#workers.leave(message.id)
    else if (message.t === 'worker') this.#onWorker(message)
  }

  #onWorker(hello: WorkerHello): void {
    const before = this.slots
    if (this.#workers.hear(hello)) this.#notices.forgetMissing()
    if (this.slots > before) this.#listener?.grown()
    const own = hello.jobs.filter(({ queue }) => this.#queues.all.some(({ name }) => name === queue))
    for (const token of own.flatMap(({ tokens }) => tokens)) {
      if (!this.#jobs.heardOf(token, `${hello.id} on ${hello.machine.host}`)) this.#disown(hello.id, token)
    }
  }

  /**
   * It was given up while it was silent: another attempt has replaced it. A result handed on a moment ago is not
   * affected.
   */
  #disown(worker: string, token: string): void {
    if (this.#results.has(token)) return
    this.#send(worker, {
      t: 'stop',
      token,
      reason: { kind: 'cancelled', message: 'another attempt has taken its place' },
    })
  }

  #hear(message: ToCoordinator): void {
    if (message.t === 'done') {
      const end = readEnd(message.result)
      if (end !== null) this.#results.deliver(end)
      else if (message.parcel !== undefined) void this.#fetch(message.parcel)
    } else this.#onJobMessage(message)
  }

  #onJobMessage(message: Exclude<ToCoordinator, { t: 'done' }>): void {
    const underway = this.#jobs.get(message.token)
    if (underway === undefined) return
    underway.heardAt = performance.now()
    const { io, desk } = underway
    if (message.t === 'points') for (const point of message.points) io.onPoint(point)
    else if (message.t === 'note') io.onNote(message.message)
    else if (message.t === 'model') io.modelIds.set(message.model, message.id)
    else if (message.t === 'beyond') io.beyondBound?.set(message.model, message.id)
    else desk.hear(message)
  }

  /**
   * Reads results that were not sent as messages from the server. Errors there are found when the parcel is looked up.
   */
  async #fetch(id: string): Promise<void> {
    const found = await this.#outbox.find(id).catch(() => null)
    if (found?.state === 'done') for (const end of readEnds(found.result)?.values() ?? []) this.#results.deliver(end)
  }

  #tick(): void {
    const now = performance.now()
    const { goneMs, channel } = this.#server
    this.#awaySince = this.#isAway ? (this.#awaySince ?? now) : null
    if (this.#awaySince !== null && now - this.#awaySince > goneMs) this.#jobs.giveUpStopped(this.#server.where)
    // Silence means nothing while the connection was down.
    if (channel.connectedSince === null || now - channel.connectedSince < goneMs) {
      this.#workers.hold(now)
      this.#jobs.hold(now)
    } else this.#workers.forgetSilent(now, goneMs)
    if (now - this.#openedAt > goneMs / 2) this.#notices.ofMissing(this.#workers)
    this.#results.forgetOld(now)
    this.#jobs.look()
  }

  /** Only when workers can find the jobs. */
  #announce(): void {
    if (this.#outbox.storedPackage === '') return
    const { name } = this.#setting.experiment
    for (const { name: queue, needs } of this.#queues.all)
      this.#sendAll({
        ...{ t: 'coordinator', id: this.#id, queue, name, host: hostname(), version },
        ...{ package: this.#outbox.storedPackage, gone_ms: this.#server.goneMs },
        ...(needs !== undefined && { needs: { ...needs, labels: [...needs.labels] } }),
        ...(this.#artifacts !== undefined && { artifacts: this.#artifacts }),
      })
  }

  #sendAll(message: Broadcast): void {
    this.#server.channel.send(broadcastTopic, message)
  }

  #send(worker: string, message: ToWorker): void {
    this.#server.channel.send(topicOf(worker), message)
  }
}

export interface QueueOptions {
  /** Separates the experiment's jobs from those of others. */
  readonly id: string
  readonly cwd: string
  /** The most jobs at a time; null: as many as workers offer slots. */
  readonly mostJobs: number | null
  /** Where workers store files that are too large for a result. */
  readonly artifacts?: string | undefined
}

/** Any process that may take runs from the server can read it. */
const packed = (setting: Setting, cwd: string): WorkPackage =>
  packWork({ ...setting, experiment: withoutSecrets(setting.experiment) }, fingerprintNow(setting, cwd))

/** Whether the work was done in time; null: no work was possible. */
async function within(ms: number, work: Promise<void> | null): Promise<boolean> {
  if (work === null) return false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>(resolve => {
    timer = setTimeout(resolve, ms, false)
  })
  const isDone = work.then(
    () => true,
    () => false,
  )
  return Promise.race([isDone, late]).finally(() => clearTimeout(timer))
}
