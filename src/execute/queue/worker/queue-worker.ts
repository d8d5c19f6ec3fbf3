import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { hostname, loadavg } from 'node:os'
import type { StopReason } from '../../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith } from '../../../define/run.ts'
import type { Setting } from '../../../perform/perform.ts'
import { takenAwayClass } from '../../../record/runs/settle.ts'
import { version } from '../../../util/version.ts'
import { othersMs, type Share } from '../../machine.ts'
import {
  broadcastTopic,
  onBroadcast,
  onWorkerMessage,
  type ToCoordinator,
  type ToWorker,
  topicOf,
} from '../messages.ts'
import { RemotePermits } from '../remote-permits.ts'
import { askMs, defaultGoneMs, helloMs, type QueueServer } from '../server/server.ts'
import { readParcel, type WireEnd, type WireResult } from '../wire-result.ts'
import { AttemptsHere } from './attempts-here.ts'
import { performTaken } from './perform-taken.ts'
import { Refusal, type Source, type SourceOptions } from './source.ts'
import { Sources } from './sources.ts'
import { TakenParcel } from './taken-parcel.ts'
import { type Waiting, WaitingJobs } from './waiting-jobs.ts'

export interface QueueWorkerOptions extends SourceOptions {
  readonly slots: number
  /** How many attempts to make before leaving; null: no limit. */
  readonly count: number | null
  tell(event: WorkerEvent): void
}

export type WorkerEvent =
  | { readonly kind: 'connected'; readonly id: string; readonly where: string }
  | { readonly kind: 'experiment'; readonly name: string; readonly host: string }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | { readonly kind: 'cut_off'; readonly where: string; readonly unstored: number }
  | { readonly kind: 'started'; readonly run: string; readonly experiment: string }
  | { readonly kind: 'ended'; readonly run: string; readonly experiment: string; readonly result: AttemptResult }

interface Running {
  readonly stop: AbortController
  readonly permits: RemotePermits
}

/**
 * A worker told to leave waits for an unreachable queue this many times as long as coordinators wait for the worker.
 */
const patience = 3
/** Not a request to end the run: another worker executes it, and nothing is counted. */
const cancelledWithWorker: StopReason = { kind: 'cancelled', message: 'its worker was told to end' }

/** In characters: a message on Postgres has at most 8,000 bytes, and longer ones are cut into pieces. */
const shortResult = 20_000

/** Takes jobs of any experiment on a server, performs them here, and submits their results. */
export class QueueWorker {
  readonly #server: QueueServer
  readonly #options: QueueWorkerOptions
  readonly #id = `${hostname().split('.')[0]}-${randomBytes(4).toString('hex')}`
  readonly #attempts: AttemptsHere
  readonly #sources: Sources
  readonly #waiting = new WaitingJobs()
  readonly #running = new Map<string, Running>()
  /** By token, the queue of every job this worker has: waiting, running, or with a result not yet submitted. */
  readonly #own = new Map<string, string>()
  #taken = 0
  /** Unanswered requests for a job. */
  #asking = 0
  /** Parcels that were taken and whose results are not on the server. */
  #unstored = 0
  #isDraining = false
  /** Since when the server has been unreachable, by `performance.now()`; null: it is reachable. */
  #awaySince: number | null = null
  #isCutOff = false
  #timer: NodeJS.Timeout | undefined
  #later: NodeJS.Timeout | undefined
  #onOver: () => void = () => undefined

  constructor(server: QueueServer, options: QueueWorkerOptions) {
    this.#server = server
    this.#options = options
    mkdirSync(options.scratch, { recursive: true })
    this.#attempts = new AttemptsHere(options.scratch, this.#id)
    this.#sources = new Sources({
      ...{ server, options, isDraining: () => this.#isDraining, heard: () => this.#step() },
      found: () => {
        this.#announce()
        this.#keepAnnouncing()
      },
      changed: () => {
        this.#announce()
        this.#step()
      },
      opened: ({ hello: { name, host } }) => options.tell({ kind: 'experiment', name, host }),
      refused: ({ hello: { name } }, reason) => options.tell({ kind: 'refused', name, reason }),
    })
  }

  /** Works until it is told to leave or has made its share of attempts, then finishes its jobs. */
  async run(): Promise<{ readonly attempts: number; readonly isCutOff: boolean }> {
    const over = new Promise<void>(resolve => {
      this.#onOver = resolve
    })
    await this.#attempts.endThoseOfTheDead()
    this.#keepAnnouncing()
    try {
      await Promise.race([this.#join(), over])
      await over
      return { attempts: this.#taken, isCutOff: this.#isCutOff }
    } finally {
      clearTimeout(this.#timer)
      clearTimeout(this.#later)
      this.#server.channel.send(broadcastTopic, { t: 'gone', id: this.#id })
      this.#attempts.close()
      const closed = this.#close()
      // A connection that keeps reconnecting never closes properly.
      if (!this.#isCutOff) await closed
    }
  }

  async #join(): Promise<void> {
    const { channel, where } = this.#server
    await channel.listen(
      broadcastTopic,
      onBroadcast(message => {
        if (message.t === 'coordinator') this.#sources.hear(message)
        else if (message.t === 'who') this.#announce()
        else if (message.t === 'gone') this.#sources.leave(message.id)
      }),
    )
    await channel.listen(
      topicOf(this.#id),
      onWorkerMessage(message => this.#hear(message)),
    )
    this.#options.tell({ kind: 'connected', id: this.#id, where })
    channel.send(broadcastTopic, { t: 'who' })
    this.#announce()
    this.#step()
  }

  async #close(): Promise<void> {
    await this.#sources.close()
    await this.#server.close()
  }

  /** First: running jobs finish and no more are taken. Second: running jobs are ended and go back to the queue. */
  interrupt(how: 'drain' | 'cancel'): void {
    this.#isDraining = true
    if (how === 'cancel') for (const { stop } of this.#running.values()) stop.abort(cancelledWithWorker)
    this.#return(this.#waiting.all())
    this.#announce()
    this.#step()
  }

  /** Starts jobs for which there are slots, requests more, and checks whether all is done. */
  #step(): void {
    this.#return(this.#waiting.stale())
    this.#begin()
    for (const source of this.#sources.ready) if (this.#mayAsk(source)) void this.#ask(source)
    if (this.#hasMadeAll && this.#unstored === 0) this.#isDraining = true
    if (this.#isDraining && this.#unstored + this.#asking === 0 && !this.#sources.isOpening) this.#onOver()
  }

  #begin(): void {
    const { slots, room } = this.#options
    while (this.#running.size < slots) {
      const next = this.#waiting.next(room)
      if (next === null) break
      void this.#perform(next)
    }
    // Other processes on this machine don't announce when they are done.
    clearTimeout(this.#later)
    if (this.#waiting.size > 0 && this.#running.size < slots) this.#later = setTimeout(() => this.#step(), othersMs)
  }

  get #hasMadeAll(): boolean {
    const { count } = this.#options
    return count !== null && this.#taken >= count
  }

  /** If runs are brief, the next ones are fetched while these run. */
  #mayAsk({ pace, needs }: Source): boolean {
    const { slots, room } = this.#options
    const most = pace.isBrief ? 2 * slots : slots
    const busy = this.#running.size + this.#waiting.size + this.#asking
    const hasRoom = needs === undefined || room.more(needs) > this.#waiting.size + this.#asking
    return !this.#isDraining && !this.#hasMadeAll && busy < most && hasRoom
  }

  async #ask(source: Source): Promise<void> {
    source.isBusy = true
    this.#asking++
    const askedAt = performance.now()
    this.#sources.wasAsked(source)
    try {
      const taken = (await source.taker?.next()) ?? null
      const parcel = taken === null ? null : readParcel(taken.data)
      if (taken !== null && parcel !== null) {
        const setting = await source.settingOf(parcel.package)
        await this.#accept(source, new TakenParcel(taken, parcel), parcel.jobs, setting, askedAt)
      }
    } catch {
      // The server is unreachable or restarting.
      await new Promise(done => setTimeout(done, 500))
    }
    source.isBusy = false
    this.#asking--
    this.#step()
  }

  async #accept(
    source: Source,
    parcel: TakenParcel,
    jobs: readonly Job[],
    setting: Setting | Refusal,
    askedAt: number,
  ): Promise<void> {
    if (setting instanceof Refusal) {
      this.#sources.refuse(source, setting)
      return parcel.giveBack()
    }
    this.#unstored++
    const { count } = this.#options
    // Jobs beyond `--count` are left to other workers. A reply that took this long may belong to a job already given
    // up.
    const isLate = performance.now() - askedAt > askMs + source.hello.gone_ms / 2
    const room = this.#isDraining || isLate ? 0 : count === null ? jobs.length : count - this.#taken
    const since = performance.now()
    jobs.forEach((job, at) => {
      this.#own.set(job.token, source.hello.queue)
      this.#waiting.add({ job, parcel, source, setting, since: at < room ? since : Number.NEGATIVE_INFINITY })
    })
    this.#taken += jobs.length
    this.#return(this.#waiting.stale())
  }

  /** Jobs that were not started go back to the coordinator. */
  #return(returned: readonly Waiting[]): void {
    for (const { job, parcel, source } of returned) {
      this.#taken--
      this.#own.delete(job.token)
      this.#over(parcel, source, { returned: job.token, parcel: parcel.id }, true)
    }
  }

  async #perform({ job, parcel, source, setting, share }: Waiting & { readonly share: Share }): Promise<void> {
    const { token, run } = job
    const { name } = source.hello
    const stop = new AbortController()
    const send = (message: ToCoordinator) => this.#server.channel.send(topicOf(source.hello.id), message)
    const permits = new RemotePermits(token, this.#id, send)
    this.#running.set(token, { stop, permits })
    this.#options.tell({ kind: 'started', run: run.name, experiment: name })
    const { scratch } = this.#options
    const performed = await performTaken(job, setting, {
      ...{ worker: this.#id, source, attempts: this.#attempts, share, scratch },
      ...{ signal: stop.signal, permits, send },
    })
    const wire = stop.signal.reason === cancelledWithWorker ? takenAway(performed) : performed
    const { result } = wire
    source.pace.took(result.wall_s)
    this.#over(parcel, source, wire, JSON.stringify(wire).length < shortResult)
    this.#running.delete(token)
    this.#attempts.remove(token)
    this.#options.tell({ kind: 'ended', run: run.name, experiment: name, result })
    this.#step()
  }

  /**
   * Stored on the server first, then announced; a job of a shared parcel is announced at once, and stored with the last
   * of them.
   */
  #over(parcel: TakenParcel, source: Source, end: WireEnd, isShort: boolean): void {
    const send = (message: ToCoordinator) => this.#server.channel.send(topicOf(source.hello.id), message)
    const isAlone = parcel.tokens.length === 1
    const token = 'returned' in end ? end.returned : end.result.token
    if (isShort && !isAlone) send({ t: 'done', token, result: end })
    if (!parcel.ended(end, isShort)) return
    void parcel.store().then(() => {
      this.#unstored--
      if (parcel.hasUnannounced) send({ t: 'done', token, parcel: parcel.id, result: null })
      else if (isAlone) send({ t: 'done', token, result: end })
      for (const one of parcel.tokens) this.#own.delete(one)
      this.#step()
    })
  }

  #hear(message: ToWorker): void {
    const running = this.#running.get(message.token)
    if (message.t === 'stop') {
      running?.stop.abort(message.reason)
      this.#stopWaiting(message)
    } else running?.permits.hear(message)
  }

  #stopWaiting({ token, reason }: Extract<ToWorker, { t: 'stop' }>): void {
    const waiting = this.#waiting.of(token)
    if (waiting === undefined) return
    const { job, parcel, source } = waiting
    this.#over(parcel, source, { result: resultWith(job, reason), worker: this.#id, files: null }, true)
  }

  /** As often as the least patient coordinator requires. */
  #keepAnnouncing(): void {
    clearTimeout(this.#timer)
    const gone = this.#sources.all.map(({ hello }) => hello.gone_ms)
    this.#timer = setTimeout(
      () => {
        this.#step()
        this.#announce()
        this.#leaveIfCutOff()
        this.#keepAnnouncing()
      },
      helloMs(Math.min(defaultGoneMs, this.#server.goneMs, ...gone)),
    )
  }

  /** Told to leave, and its queue does not come back: if a tunnel has closed, for example. */
  #leaveIfCutOff(): void {
    const { channel, goneMs, where } = this.#server
    const now = performance.now()
    this.#awaySince = channel.connectedSince === null ? (this.#awaySince ?? now) : null
    const waitMs = patience * Math.max(goneMs, ...this.#sources.all.map(({ hello }) => hello.gone_ms))
    if (!this.#isDraining || this.#awaySince === null || now - this.#awaySince < waitMs) return
    if (!this.#isCutOff) this.#options.tell({ kind: 'cut_off', where, unstored: this.#unstored })
    this.#isCutOff = true
    for (const { stop } of this.#running.values()) stop.abort(cancelledWithWorker)
    if (this.#running.size === 0) this.#onOver()
  }

  #announce(): void {
    const { slots, room } = this.#options
    const queues = [...new Set(this.#own.values())]
    this.#server.channel.send(broadcastTopic, {
      ...{ t: 'worker', id: this.#id, pid: process.pid, version, slots, machine: room.machine },
      ...{ is_draining: this.#isDraining, load: Math.round((loadavg()[0] ?? 0) * 100) / 100 },
      jobs: queues.map(queue => ({
        queue,
        tokens: [...this.#own].filter(([, one]) => one === queue).map(([token]) => token),
      })),
      refused: this.#sources.all.flatMap(({ hello: { queue }, refusal }) =>
        refusal === null ? [] : [{ queue, reason: refusal }],
      ),
    })
  }
}

/** If a run ended by itself at the last moment, its result counts. */
function takenAway(wire: WireResult): WireResult {
  const { outcome } = wire.result
  if (outcome.kind !== 'cancelled') return wire
  return { ...wire, result: { ...wire.result, outcome: { ...outcome, error_class: takenAwayClass } } }
}
