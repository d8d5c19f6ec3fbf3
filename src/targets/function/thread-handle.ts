import { Worker } from 'node:worker_threads'
import type { Point } from '../../define/target.ts'
import { messageOf } from '../../util/errors.ts'
import {
  type Call,
  directoryStates,
  type FromThread,
  type ThreadData,
  type ThrownError,
  type ToThread,
} from './messages.ts'
import type { ModelAsk, ModelReply } from './models/thread-models.ts'

/** How a call ended. */
export type CallEnd =
  | { readonly kind: 'done' }
  | { readonly kind: 'thrown'; readonly error: ThrownError }
  /** The thread itself is gone: `process.exit`, out of memory, an uncaught error, or ended by us. */
  | { readonly kind: 'thread_lost'; readonly message: string }

export interface CallListener {
  report(point: Point): void
  /** Whether the directory exists now; must not throw. */
  makeDirectory(): boolean
  /** The function requests something from a model. */
  onModel(ask: ModelAsk, tell: (reply: ModelReply) => void): void
  /** A message that people should see, about this call or an earlier one on the same thread. */
  readonly note: (message: string) => void
}

/** By itself V8 lets the space for new objects of every thread grow to three times as much, however little survives. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 }

/** One worker thread, seen from outside: it takes a call at a time. */
export class ThreadHandle {
  readonly #worker: Worker
  readonly #directorySlot = new Int32Array(new SharedArrayBuffer(4))
  #current: { readonly listener: CallListener; readonly end: (end: CallEnd) => void } | null = null
  #note: CallListener['note'] = () => undefined
  #lost: string | null = null

  constructor() {
    const workerData: ThreadData = { directorySlot: this.#directorySlot }
    // Flags of the main thread, such as a loader or a memory limit, are not meant for the functions under test.
    this.#worker = new Worker(threadFile(), { workerData, execArgv: [], stdin: false, resourceLimits })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#hear(message))
    this.#worker.on('error', error => this.#lose(`the thread failed: ${messageOf(error)}`))
    this.#worker.on('exit', code => this.#lose(`the thread ended with exit code ${code} before the function returned`))
  }

  get isLost(): boolean {
    return this.#lost !== null
  }

  call(call: Call, listener: CallListener): Promise<CallEnd> {
    this.#worker.ref()
    return new Promise(resolve => {
      if (this.#lost !== null) return resolve({ kind: 'thread_lost', message: this.#lost })
      this.#current = { listener, end: resolve }
      // The function alone: a closure over this call would keep all calls in memory until a full collection.
      this.#note = listener.note
      this.#tell({ kind: 'call', call })
    })
  }

  /** Asks the function to end through its AbortSignal. */
  stop(message: string): void {
    this.#tell({ kind: 'stop', message })
  }

  /** Ends the thread, even in the middle of a loop. */
  async terminate(): Promise<void> {
    // From now on: its last word may be on its way here still.
    this.#lost ??= 'the thread was ended'
    await this.#worker.terminate()
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message)
  }

  #hear(message: FromThread): void {
    switch (message.kind) {
      case 'late':
        this.#note(`${message.runId} ${message.did} after it had returned, which does not count: is an await missing?`)
        return
      case 'model_call':
      case 'model_size':
      case 'model_abort':
      case 'span_open':
      case 'span_end':
      case 'span_score':
      case 'span_fail':
        this.#current?.listener.onModel(message, reply => this.#tell(reply))
        return
      case 'directory':
        this.#makeDirectory()
        return
    }
    for (const point of message.points) this.#current?.listener.report(point)
    if (message.kind === 'done') this.#finish({ kind: 'done' })
    else if (message.kind === 'thrown') this.#finish({ kind: 'thrown', error: message.error })
  }

  #makeDirectory(): void {
    const isMade = this.#current?.listener.makeDirectory() ?? false
    Atomics.store(this.#directorySlot, 0, isMade ? directoryStates.made : directoryStates.failed)
    Atomics.notify(this.#directorySlot, 0)
  }

  #lose(message: string): void {
    this.#lost ??= message
    this.#finish({ kind: 'thread_lost', message: this.#lost })
  }

  #finish(end: CallEnd): void {
    const current = this.#current
    this.#current = null
    this.#worker.unref()
    current?.end(end)
  }
}

/** From the sources the thread is TypeScript too; in the bundle all entries are next to each other. */
function threadFile(): URL {
  return new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './function-thread.js', import.meta.url)
}
