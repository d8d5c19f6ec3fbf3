import { statSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Experiment, MetricSource, MetricSourceSpec, SourceReading } from '../define/experiment.ts'
import { messageOf } from '../util/errors.ts'
import { deadline } from '../util/system-clock.ts'
import { problemReading } from './metric-sources/readings.ts'
import { eventBytes } from './metric-sources/tensorboard/tensorboard.ts'

/** One metric to be read from a run's files. */
export interface MetricRequest {
  readonly runDir: string
  readonly metric: string
  readonly spec: MetricSourceSpec
  readonly modules: OwnSources
}

/** Where an experiment's own metric sources are. */
export type OwnSources = Pick<Experiment, 'metric_sources' | 'folder'>

/** Longer than any sensible file takes; a pattern that tries every way to match would never end. */
const defaultLimitMs = 30_000

/** Files of this size are read in a moment. */
const smallBytes = 1_000_000

/**
 * Reads a metric without ever blocking the engine: slow reads run in a separate thread, which is ended when it takes
 * too long. Small files are read directly, as a thread would cost more than they do.
 */
export async function readApart(
  source: MetricSource | undefined,
  request: MetricRequest,
  limitMs = defaultLimitMs,
): Promise<SourceReading> {
  const { runDir, metric, spec } = request
  // How long one of the user's own takes is unknown.
  if (source !== undefined && isQuick(runDir, spec)) return source.read(runDir, metric, spec)
  const thread = idle.pop() ?? new ReadingThread()
  const reading = await thread.read(request, limitMs)
  if (thread.isAlive) idle.push(thread)
  return reading
}

/** Threads that wait for the next request. */
const idle: ReadingThread[] = []

/** One thread, which takes a request at a time and is ended when that takes too long. */
class ReadingThread {
  readonly #worker = new Worker(threadFile(), { execArgv: [], stdin: false })
  #answer: (reading: SourceReading) => void = () => undefined
  #metric = ''
  isAlive = true

  constructor() {
    this.#worker.on('message', (reading: SourceReading) => this.#answer(reading))
    this.#worker.on('error', error => this.#lose(`could not be read: ${messageOf(error)}`))
    this.#worker.on('exit', () => this.#lose('could not be read: the thread that read it has ended'))
  }

  async read(request: MetricRequest, limitMs: number): Promise<SourceReading> {
    this.#metric = request.metric
    const answered = new Promise<SourceReading>(resolve => {
      this.#answer = resolve
    })
    const forget = deadline(limitMs, () => this.#lose(`reading it took more than ${limitMs / 1000} s and was stopped`))
    this.#worker.ref()
    this.#worker.postMessage(request)
    const reading = await answered
    forget()
    // While it waits it must not keep the process alive.
    if (this.isAlive) this.#worker.unref()
    else await this.#worker.terminate()
    return reading
  }

  #lose(problem: string): void {
    this.isAlive = false
    this.#answer(problemReading(this.#metric, problem))
  }
}

/** A regular expression may take any time, whatever the size of its text. */
function isQuick(runDir: string, { kind, file }: MetricSourceSpec): boolean {
  if (kind === 'regex') return false
  if (typeof file !== 'string') return true
  if (kind === 'tensorboard') return eventBytes(runDir, file) <= smallBytes
  const found = statSync(join(runDir, file), { throwIfNoEntry: false })
  return found === undefined || !found.isFile() || found.size <= smallBytes
}

/** From the sources the thread is TypeScript too; in the bundle all entries are next to each other. */
function threadFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './metric-thread.ts' : './metric-thread.js', import.meta.url)
}
