import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import type { StopReason } from '../../define/outcome.ts'
import { type AttemptResult, type Job, resultWith } from '../../define/run.ts'
import type { Target } from '../../define/target.ts'
import { perform, type Setting } from '../../perform/perform.ts'
import { explainChange } from '../../plan/identity.ts'
import { fingerprintNow } from '../../record/provenance/provenance.ts'
import { AssayError, systemCode } from '../../util/errors.ts'
import { pointSender, reportingModels } from '../queue/relay.ts'
import { RemotePermits } from '../queue/remote-permits.ts'
import { openWork, type WorkPackage } from '../work-package.ts'
import { Mailbox, post } from './mailbox.ts'
import { type Chunk, type FromTask, fromTask, readChunk, readFromTask, readToTask, toTask } from './task-messages.ts'

/** How often to check for messages of the coordinator. */
const pollMs = 200

export interface ChunkOptions {
  targetFor(experiment: Experiment): Target
  /** Slurm asks the task to end: it was cancelled, preempted, or its time is over. */
  onEnd(listener: () => void): void
  tell(run: string, result: AttemptResult): void
}

/** An array task's work: the jobs in a file, one after the other. Their results go to a file beside it. */
export async function performChunk(file: string, options: ChunkOptions): Promise<number> {
  const chunk = readChunk(textOf(file))
  const [, task = '0'] = /-(\d+)\.json$/.exec(basename(file)) ?? []
  return new ChunkPerformer(chunk, dirname(file), task, options).run()
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new AssayError(
      'not_found',
      `${file} is gone: its runs were given to another task, or are not needed any more`,
    )
  }
}

class ChunkPerformer {
  readonly #chunk: Chunk
  readonly #out: string
  readonly #in: Mailbox
  readonly #id: string
  readonly #options: ChunkOptions
  readonly #before: ReadonlySet<string>
  readonly #stops = new Map<string, StopReason>()
  readonly #modelIds = new Map<string, string>()
  readonly #beyondBound = new Map<string, string>()
  #current: { readonly token: string; readonly stop: AbortController; readonly permits: RemotePermits } | null = null
  #isEnding = false

  constructor(chunk: Chunk, folder: string, task: string, options: ChunkOptions) {
    this.#chunk = chunk
    this.#out = join(folder, fromTask(task))
    this.#in = new Mailbox(join(folder, toTask(task)))
    this.#id = `${hostname().split('.')[0]}-${task}`
    this.#options = options
    // An administrator may have told Slurm to start the task again: jobs it had already started are not started twice.
    const earlier = new Mailbox(this.#out).news().map(readFromTask)
    this.#before = new Set(earlier.flatMap(message => (message === null ? [] : [message.token])))
  }

  async run(): Promise<number> {
    const setting = this.#openSetting()
    this.#options.onEnd(() => this.#end())
    const timer = setInterval(() => this.#look(), pollMs)
    let made = 0
    try {
      for (const job of this.#chunk.jobs) {
        if (this.#isEnding) break
        if (this.#before.has(job.token)) continue
        await this.#perform(job, setting)
        made++
      }
      return made
    } finally {
      clearInterval(timer)
      await setting.target.close?.()
    }
  }

  #openSetting(): Setting {
    const { folder, dir, cwd } = this.#chunk
    // Its hash is checked where it is opened.
    const work: WorkPackage = JSON.parse(textOf(this.#chunk.package))
    const setting = openWork(work, { folder, dir }, experiment => this.#options.targetFor(experiment))
    const here = fingerprintNow(setting, cwd)
    if (here.hash !== work.fingerprint.hash)
      throw new AssayError('stale', `${folder} has changed: ${explainChange(work.fingerprint.parts, here.parts)}`, {
        hint: 'Run the same `assay run` again: it says what that means for finished runs.',
      })
    return setting
  }

  #post(message: FromTask): void {
    post(this.#out, message)
  }

  async #perform(job: Job, setting: Setting): Promise<void> {
    const { token, run } = job
    this.#look()
    const stopped = this.#stops.get(token)
    if (stopped !== undefined) return this.#post({ t: 'done', token, result: this.#wire(resultWith(job, stopped)) })
    const stop = new AbortController()
    const send = (message: FromTask) => this.#post(message)
    const permits = new RemotePermits(token, this.#id, send)
    this.#current = { token, stop, permits }
    this.#post({ t: 'began', token })
    const points = pointSender(token, send)
    const result = await perform(job, setting, {
      signal: stop.signal,
      permits,
      modelIds: reportingModels(this.#modelIds, (model, id) => send({ t: 'model', token, model, id })),
      beyondBound: reportingModels(this.#beyondBound, (model, id) => send({ t: 'beyond', token, model, id })),
      onPoint: points.add,
      onNote: message => send({ t: 'note', token, message }),
      onStarted: () => undefined,
    })
    points.flush()
    this.#current = null
    const isCut = await this.#isCut(result)
    this.#post({ t: isCut ? 'cut' : 'done', token, result: this.#wire(result) })
    this.#options.tell(run.name, result)
  }

  /** Slurm ends every process of a task at once, so the run may have ended before this process got the signal. */
  async #isCut({ token, outcome }: AttemptResult): Promise<boolean> {
    if (outcome.kind === 'completed' || this.#stops.has(token)) return false
    if (outcome.signal === 'SIGTERM' && !this.#isEnding) await new Promise(done => setTimeout(done, pollMs))
    return this.#isEnding
  }

  /** In the form that a queue carries; the files are already where the coordinator sees them. */
  #wire(result: AttemptResult) {
    return { result, worker: this.#id, files: null }
  }

  #look(): void {
    for (const message of this.#in.news().map(readToTask)) {
      if (message?.t === 'stop') {
        this.#stops.set(message.token, message.reason)
        if (this.#current?.token === message.token) this.#current.stop.abort(message.reason)
      } else if (message !== null && this.#current?.token === message.token) this.#current.permits.hear(message)
    }
  }

  #end(): void {
    this.#isEnding = true
    this.#current?.stop.abort({ kind: 'cancelled', message: 'Slurm asked its array task to end' } satisfies StopReason)
  }
}
