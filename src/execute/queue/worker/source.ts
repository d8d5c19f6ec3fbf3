import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Experiment, Needs } from '../../../define/experiment.ts'
import type { Target } from '../../../define/target.ts'
import type { Setting } from '../../../perform/perform.ts'
import { explainChange } from '../../../plan/identity.ts'
import { fingerprintNow } from '../../../record/provenance/provenance.ts'
import { messageOf } from '../../../util/errors.ts'
import { version } from '../../../util/version.ts'
import { lackOf, type Room } from '../../machine.ts'
import { openWork, type WorkPackage } from '../../work-package.ts'
import type { CoordinatorHello } from '../messages.ts'
import { Pace } from '../pace.ts'
import { type JobTaker, packageQueue, type QueueServer, sharedMark } from '../server/server.ts'

export interface SourceOptions {
  /** The machine that all experiments share. */
  readonly room: Room
  /** Where the files of experiments are: their programs and inputs. */
  readonly folder: string
  /** Where runs are performed if this machine does not see their directory. */
  readonly scratch: string
  targetFor(experiment: Experiment): Target
}

/** Why an experiment's jobs can't be performed here. */
export class Refusal {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** An experiment with jobs, as a worker sees it. */
export class Source {
  readonly #server: QueueServer
  readonly #options: SourceOptions
  readonly #settings = new Map<string, Promise<Setting | Refusal>>()
  readonly modelIds = new Map<string, string>()
  readonly beyondBound = new Map<string, string>()
  readonly pace = new Pace()
  hello: CoordinatorHello
  heardAt = performance.now()
  taker: JobTaker | null = null
  /** Being opened, or asked for a job. */
  isBusy = false
  refusal: string | null = null
  constructor(server: QueueServer, hello: CoordinatorHello, options: SourceOptions) {
    this.#server = server
    this.#options = options
    this.hello = hello
  }

  /** The needs of each of its runs. */
  get needs(): Needs | undefined {
    return this.hello.needs
  }

  hear(hello: CoordinatorHello): void {
    // A restarted coordinator may use another directory.
    if (this.hello.id !== hello.id) this.#settings.clear()
    this.hello = hello
    this.heardAt = performance.now()
  }

  /** A silent coordinator may be restarting: until then nothing is taken from its queue. */
  get isReady(): boolean {
    const isHeard = performance.now() - this.heardAt < 3 * this.hello.gone_ms
    return this.taker !== null && this.refusal === null && !this.isBusy && isHeard
  }

  /** Checks the work before taking any of it: jobs that can't be performed here are left to other workers. */
  async open(): Promise<void> {
    try {
      this.refusal = this.#otherVersion() ?? (await this.#refusalOf(this.hello.package))
      if (this.refusal === null) this.taker ??= await this.#server.taker(this.hello.queue)
    } catch {
      // The server is unreachable: the next announcement is the next chance.
      this.refusal = 'the queue could not be opened'
    }
  }

  #otherVersion(): string | null {
    const { version: theirs } = this.hello
    return theirs === version ? null : `the coordinator is of assay ${theirs}, this is ${version}`
  }

  async #refusalOf(hash: string): Promise<string | null> {
    const setting = await this.settingOf(hash)
    return setting instanceof Refusal ? setting.reason : null
  }

  /** What the jobs of a work package need to be performed here. */
  settingOf(hash: string): Promise<Setting | Refusal> {
    const known = this.#settings.get(hash)
    if (known !== undefined) return known
    const opened = this.#open(hash).catch(error => new Refusal(messageOf(error)))
    this.#settings.set(hash, opened)
    // The cause of a refusal may be fixed, so it is checked again.
    void opened.then(setting => {
      if (setting instanceof Refusal) this.#settings.delete(hash)
    })
    return opened
  }

  async #open(hash: string): Promise<Setting | Refusal> {
    const packages = await this.#server.jobs(packageQueue)
    const found = await packages.find(hash).finally(() => packages.close())
    if (found === null) return new Refusal(`the server has no work package ${hash}`)
    const work = found.data as WorkPackage
    const { folder, scratch } = this.#options
    const shared = resolve(folder, work.dir)
    const isShared = idIn(join(shared, sharedMark)) === this.hello.id
    const dir = isShared ? shared : join(scratch, this.hello.queue)
    mkdirSync(dir, { recursive: true })
    const setting = openWork(work, { folder, dir }, experiment => this.#options.targetFor(experiment))
    const here = fingerprintNow(setting, folder)
    if (here.hash !== work.fingerprint.hash)
      return new Refusal(
        `${folder} has other files than the experiment: ${explainChange(work.fingerprint.parts, here.parts)}`,
      )
    const lack = lackOf(this.#options.room.machine, this.needs)
    if (lack !== null) return new Refusal(lack)
    const problem = setting.target.check(setting.spec, setting.experiment)[0]
    return problem === undefined ? setting : new Refusal(`in ${folder}: ${problem.message}`)
  }
}

const idIn = (file: string): string | null => (existsSync(file) ? readFileSync(file, 'utf8') : null)
