import { appendFile } from 'node:fs/promises'
import { messageOf } from '../../util/errors.ts'
import { sha256 } from '../../util/hash.ts'
import type { Redact } from '../keys/redact.ts'
import { callSpan, contentOf, type TracedCall } from './call-span.ts'
import { TraceLines } from './trace-lines.ts'

/** Where the calls of a run are written down. */
export interface Trace {
  add(traced: TracedCall): void
  /** Resolves when everything is on disk. */
  close(): Promise<void>
}

export interface TraceFileOptions {
  /** The file; asked for when there is something to write, so that a run without calls needs no directory. */
  path(): string
  /** Whatever tells this attempt of this run from all others; the trace's id is made of it. */
  readonly id: string
  /** Whether prompts and answers are in it. */
  readonly content: boolean
  readonly redact: Redact
  onNotice?(notice: string): void
}

/**
 * Spans and their content as lines, gathered for a moment and appended together: hundreds of calls a second must not
 * wait for the disk one by one. A crash can lose the last half second of it; the ledger is kept elsewhere.
 */
export class TraceFile implements Trace {
  readonly #options: TraceFileOptions
  readonly #traceId: string
  #lines: TraceLines
  #spans = 0
  /** After a failed write the file may end in the middle of a line. */
  #before = ''
  #waiting: TracedCall[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: TraceFileOptions) {
    this.#options = options
    this.#traceId = sha256(options.id).slice(0, 32)
    this.#lines = new TraceLines(options.redact)
  }

  add(traced: TracedCall): void {
    // Agents go on adding to their conversation while this one waits to be written.
    this.#waiting.push({ ...traced, call: { ...traced.call, messages: [...traced.call.messages] } })
    if (this.#waiting.length >= mostWaiting) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), longestWaitMs).unref()
  }

  async close(): Promise<void> {
    this.#flush()
    await this.#writing
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const gathered = this.#waiting
    if (gathered.length === 0) return
    this.#waiting = []
    this.#writing = this.#writing.then(() => this.#write(gathered))
  }

  async #write(gathered: readonly TracedCall[]): Promise<void> {
    const { content, redact, path, onNotice } = this.#options
    const lines = gathered.map(traced => {
      const spanId = sha256(`${this.#traceId} ${++this.#spans}`).slice(0, 16)
      return this.#lines.of(callSpan(traced, { traceId: this.#traceId, spanId }), content ? contentOf(traced) : {})
    })
    try {
      await appendFile(path(), this.#before + lines.join(''))
      this.#before = ''
    } catch (error) {
      // Nobody knows how much of it is there: what comes next must not refer to it.
      this.#lines = new TraceLines(redact)
      this.#before = '\n'
      onNotice?.(`the trace could not be written: ${messageOf(error)}`)
    }
  }
}

const longestWaitMs = 500
const mostWaiting = 64
