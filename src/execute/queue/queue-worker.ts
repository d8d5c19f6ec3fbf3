import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { hostname, loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { StopReason } from '../../define/outcome.ts'
import type { AttemptResult } from '../../define/run.ts'
import type { Target } from '../../define/target.ts'
import { perform, type Setting } from '../../perform/perform.ts'
import { explainChange } from '../../plan/identity.ts'
import { runFolder } from '../../record/places.ts'
import { fingerprintNow } from '../../record/provenance/provenance.ts'
import { messageOf } from '../../util/errors.ts'
import { version } from '../../util/version.ts'
import { openWork, type WorkPackage } from '../work-package.ts'
import { AttemptsHere } from './attempts-here.ts'
import {
  type CoordinatorHello,
  everybody,
  forEverybody,
  forWorker,
  helloMs,
  type Machine,
  type ToCoordinator,
  type ToWorker,
  topicOf,
  usualGoneMs,
} from './messages.ts'
import { packageQueue, sharedMark } from './queue-executor.ts'
import { pointSender, toldModels } from './relay.ts'
import { RemotePermits } from './remote-permits.ts'
import { packFiles } from './run-files.ts'
import type { JobTaker, QueueServer, TakenJob } from './server.ts'
import { readJob, type WireResult } from './wire-result.ts'

export interface QueueWorkerOptions {
  readonly slots: number
  readonly machine: Machine
  /** Where the files of experiments are: their programs, their inputs. */
  readonly folder: string
  /** Where runs are performed whose directory this machine does not see. */
  readonly scratch: string
  /** Attempts to make before leaving; null: no such limit. */
  readonly count: number | null
  targetFor(experiment: Experiment): Target
  tell(event: WorkerEvent): void
}

export type WorkerEvent =
  | { readonly kind: 'connected'; readonly id: string; readonly where: string }
  | { readonly kind: 'experiment'; readonly name: string; readonly host: string }
  | { readonly kind: 'refused'; readonly name: string; readonly reason: string }
  | { readonly kind: 'started'; readonly run: string; readonly experiment: string }
  | { readonly kind: 'ended'; readonly run: string; readonly experiment: string; readonly result: AttemptResult }

/** An experiment that there are jobs of. */
interface Source {
  hello: CoordinatorHello
  heardAt: number
  taker: JobTaker | null
  isTaking: boolean
  refusal: string | null
  readonly settings: Map<string, Promise<Setting | Refusal>>
  readonly modelIds: Map<string, string>
  readonly beyondBound: Map<string, string>
}

class Refusal {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

interface Underway {
  readonly queue: string
  readonly stop: AbortController
  readonly permits: RemotePermits
}

/** In characters: a message on Postgres has 8,000 bytes, and longer ones are cut into pieces. */
const shortResult = 20_000

/** Takes jobs of any experiment on a server, performs them here, and hands their results in. */
export class QueueWorker {
  readonly #server: QueueServer
  readonly #options: QueueWorkerOptions
  readonly #id = `${hostname().split('.')[0]}-${randomBytes(4).toString('hex')}`
  readonly #sources = new Map<string, Source>()
  readonly #jobs = new Map<string, Underway>()
  readonly #attempts: AttemptsHere
  #taken = 0
  /** Slots that wait for a job, or perform one. */
  #used = 0
  #isDraining = false
  #timer: NodeJS.Timeout | undefined
  #onChange: () => void = () => undefined

  constructor(server: QueueServer, options: QueueWorkerOptions) {
    this.#server = server
    this.#options = options
    mkdirSync(options.scratch, { recursive: true })
    this.#attempts = new AttemptsHere(options.scratch, this.#id)
  }

  /** Until it is told to leave, or has made as many attempts as it should; then it finishes what it has. */
  async run(): Promise<{ readonly attempts: number }> {
    const { channel, where } = this.#server
    await this.#attempts.endThoseOfTheDead()
    await channel.listen(
      everybody,
      forEverybody(message => {
        if (message.t === 'coordinator') this.#hearOf(message)
        else if (message.t === 'who') this.#announce()
        else if (message.t === 'gone') this.#leaveSource(message.id)
      }),
    )
    await channel.listen(
      topicOf(this.#id),
      forWorker(message => this.#hear(message)),
    )
    this.#options.tell({ kind: 'connected', id: this.#id, where })
    channel.send(everybody, { t: 'who' })
    this.#announce()
    this.#keepAnnouncing()
    try {
      while (!this.#isDraining || this.#used > 0) {
        const changed = new Promise<void>(changes => {
          this.#onChange = changes
        })
        this.#take()
        await changed
      }
      return { attempts: this.#taken }
    } finally {
      clearTimeout(this.#timer)
      channel.send(everybody, { t: 'gone', id: this.#id })
      await Promise.all([...this.#sources.values()].map(({ taker }) => taker?.close().catch(() => undefined)))
      this.#attempts.close()
      await this.#server.close()
    }
  }

  /** First: what runs finishes and nothing more is taken. Second: what runs is ended, and goes back to the others. */
  interrupt(how: 'drain' | 'cancel'): void {
    this.#isDraining = true
    if (how === 'cancel')
      for (const { stop } of this.#jobs.values())
        stop.abort({ kind: 'cancelled', message: 'its worker was told to end' } satisfies StopReason)
    this.#announce()
    this.#onChange()
  }

  #hearOf(hello: CoordinatorHello): void {
    const heardAt = performance.now()
    const before = this.#sources.get(hello.queue)
    if (before === undefined) {
      const more = { taker: null, isTaking: false, settings: new Map(), modelIds: new Map(), beyondBound: new Map() }
      this.#sources.set(hello.queue, { hello, heardAt, refusal: null, ...more })
      this.#announce()
      this.#keepAnnouncing()
      void this.#openSource(hello.queue)
      return
    }
    // A coordinator that started again may see another directory.
    if (before.hello.id !== hello.id) before.settings.clear()
    before.hello = hello
    before.heardAt = heardAt
    if (before.refusal !== null && before.taker === null) void this.#openSource(hello.queue)
  }

  #leaveSource(id: string): void {
    for (const source of this.#sources.values()) if (source.hello.id === id) source.heardAt = Number.NEGATIVE_INFINITY
  }

  /** Looks at the work before any of it is taken: what can't be performed here is left to others. */
  async #openSource(queue: string): Promise<void> {
    const source = this.#sources.get(queue)
    if (source === undefined || source.isTaking) return
    source.isTaking = true
    try {
      const reason = otherVersion(source.hello) ?? (await this.#refusalOf(source))
      if (reason !== source.refusal && reason !== null)
        this.#options.tell({ kind: 'refused', name: source.hello.name, reason })
      source.refusal = reason
      if (reason === null) {
        source.taker ??= await this.#server.taker(queue)
        this.#options.tell({ kind: 'experiment', name: source.hello.name, host: source.hello.host })
      }
    } catch {
      // The server is away: the next hello is the next chance.
      source.refusal = 'the queue could not be opened'
    } finally {
      source.isTaking = false
      this.#announce()
      this.#onChange()
    }
  }

  async #refusalOf(source: Source): Promise<string | null> {
    const setting = await this.#settingOf(source, source.hello.package)
    return setting instanceof Refusal ? setting.reason : null
  }

  #settingOf(source: Source, hash: string): Promise<Setting | Refusal> {
    const known = source.settings.get(hash)
    if (known !== undefined) return known
    const opened = this.#open(source, hash).catch(error => {
      source.settings.delete(hash)
      return new Refusal(messageOf(error))
    })
    source.settings.set(hash, opened)
    return opened
  }

  async #open({ hello }: Source, hash: string): Promise<Setting | Refusal> {
    const packages = await this.#server.jobs(packageQueue)
    const found = await packages.find(hash).finally(() => packages.close())
    if (found === null) return new Refusal(`the server has no work package ${hash}`)
    const work = found.data as WorkPackage
    const { folder, scratch } = this.#options
    const shared = resolve(folder, work.dir)
    const isShared = idIn(join(shared, sharedMark)) === hello.id
    const dir = isShared ? shared : join(scratch, hello.queue)
    mkdirSync(dir, { recursive: true })
    const setting = openWork(work, { folder, dir }, experiment => this.#options.targetFor(experiment))
    const here = fingerprintNow(setting, folder)
    if (here.hash !== work.fingerprint.hash)
      return new Refusal(
        `${folder} has other files than the experiment: ${explainChange(work.fingerprint.parts, here.parts)}`,
      )
    const problem = setting.target.check(setting.spec, setting.experiment)[0]
    return problem === undefined ? setting : new Refusal(`in ${folder}: ${problem.message}`)
  }

  /** Every free slot asks one source for a job, in turn. */
  #take(): void {
    const { slots, count } = this.#options
    const ready = () => [...this.#sources.values()].filter(source => this.#isReady(source))
    for (const source of ready()) {
      const isEnough = count !== null && this.#taken >= count
      if (this.#isDraining || isEnough || this.#used >= slots) break
      source.isTaking = true
      this.#used++
      void this.#takeFrom(source)
    }
    if (count !== null && this.#taken >= count && this.#used === 0) this.#isDraining = true
  }

  /** A coordinator that is not heard any more may be starting again: until then nothing is taken from its queue. */
  #isReady({ hello, taker, refusal, isTaking, heardAt }: Source): boolean {
    return taker !== null && refusal === null && !isTaking && performance.now() - heardAt < 3 * hello.gone_ms
  }

  async #takeFrom(source: Source): Promise<void> {
    let taken: TakenJob | null = null
    try {
      taken = (await source.taker?.next()) ?? null
    } catch {
      // The server is away, or being restarted.
      await new Promise(done => setTimeout(done, 500))
    }
    source.isTaking = false
    if (taken !== null) {
      this.#taken++
      this.#onChange()
      await this.#perform(source, taken).catch(() => undefined)
    }
    this.#used--
    this.#onChange()
  }

  async #perform(source: Source, taken: TakenJob): Promise<void> {
    const { package: hash, job } = readJob(taken.data)
    const { token, run } = job
    const { name } = source.hello
    const setting = await this.#settingOf(source, hash)
    if (setting instanceof Refusal) {
      source.refusal = setting.reason
      this.#options.tell({ kind: 'refused', name, reason: setting.reason })
      return until(() => taken.giveBack())
    }
    const stop = new AbortController()
    const send = (message: ToCoordinator) => this.#server.channel.send(topicOf(source.hello.id), message)
    const permits = new RemotePermits(token, this.#id, send)
    this.#jobs.set(token, { queue: source.hello.queue, stop, permits })
    this.#attempts.add(token)
    this.#announce()
    const points = pointSender(token, send)
    this.#options.tell({ kind: 'started', run: run.name, experiment: name })
    const result = await perform(job, setting, {
      signal: stop.signal,
      permits,
      modelIds: toldModels(source.modelIds, (model, id) => send({ t: 'model', token, model, id })),
      beyondBound: toldModels(source.beyondBound, (model, id) => send({ t: 'beyond', token, model, id })),
      onPoint: points.add,
      onNote: message => send({ t: 'note', token, message }),
      onStarted: () => undefined,
    })
    points.flush()
    const isShared = !setting.dir.startsWith(this.#options.scratch)
    const files = isShared || result.place === null ? null : packFiles(runFolder(setting.dir, run.name))
    const wire: WireResult = { result, worker: this.#id, files }
    await until(() => taken.finish(wire))
    const isShort = JSON.stringify(wire).length < shortResult
    send({ t: 'done', token, result: isShort ? wire : null })
    this.#jobs.delete(token)
    this.#attempts.remove(token)
    this.#options.tell({ kind: 'ended', run: run.name, experiment: name, result })
  }

  /** As often as the least patient coordinator wants it. */
  #keepAnnouncing(): void {
    clearTimeout(this.#timer)
    const gone = [...this.#sources.values()].map(({ hello }) => hello.gone_ms)
    this.#timer = setTimeout(
      () => {
        this.#announce()
        this.#keepAnnouncing()
      },
      helloMs(Math.min(usualGoneMs, ...gone)),
    )
  }

  #hear(message: ToWorker): void {
    const underway = this.#jobs.get(message.token)
    if (message.t === 'stop') underway?.stop.abort(message.reason)
    else underway?.permits.hear(message)
  }

  #announce(): void {
    const { slots, machine } = this.#options
    const queues = [...new Set([...this.#jobs.values()].map(({ queue }) => queue))]
    this.#server.channel.send(everybody, {
      ...{ t: 'worker', id: this.#id, pid: process.pid, version, slots, machine },
      ...{ is_draining: this.#isDraining, load: Math.round((loadavg()[0] ?? 0) * 100) / 100 },
      jobs: queues.map(queue => ({
        queue,
        tokens: [...this.#jobs].filter(([, job]) => job.queue === queue).map(([token]) => token),
      })),
      refused: [...this.#sources].flatMap(([queue, { refusal }]) =>
        refusal === null ? [] : [{ queue, reason: refusal }],
      ),
    })
  }
}

const otherVersion = ({ version: theirs }: CoordinatorHello): string | null =>
  theirs === version ? null : `the coordinator is of assay ${theirs}, this is ${version}`

const idIn = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)

/** Hands over what must not be lost, however long the server is away. */
async function until(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      // The coordinator has removed it: nobody waits for it any more.
      if (/missing (key|lock)|not found/i.test(messageOf(error))) return
      await new Promise(done => setTimeout(done, Math.min(5_000, 100 * 2 ** tries)))
    }
  }
}
