import { open } from 'node:fs/promises'
import { messageOf } from '../../util/errors.ts'
import { appendFlags } from '../../util/files.ts'
import type { Redact } from '../keys/redact.ts'
import type { SpanLists } from './call-span.ts'
import type { Span, SpanOrigin } from './span.ts'
import { TraceLines } from './trace-lines.ts'

/** A span as it is written. */
export interface WrittenSpan {
  readonly span: Span
  readonly lists: SpanLists
  /** null: assay itself. */
  readonly origin: SpanOrigin | null
}

/** A span to be written; its lists are only made then, since that takes time which the caller may not have. */
export type SpanToWrite = Omit<WrittenSpan, 'lists'> & { lists(): SpanLists }

export interface TraceFileOptions {
  /**
   * The file's path; only requested when there is something to write, so that a run without calls needs no directory.
   */
  path(): string
  readonly redact: Redact
  /** Hears of every span when it is written. */
  onSpan?(written: WrittenSpan): void
  onNotice?(notice: string): void
}

/**
 * Spans and their content as lines, gathered for a moment and appended together: hundreds of calls a second must not
 * each wait for the disk. A crash can lose the last half second; the ledger is stored elsewhere.
 */
export class TraceFile {
  readonly #options: TraceFileOptions
  #lines: TraceLines
  /** After a failed write the file may end in the middle of a line. */
  #before = ''
  #waiting: SpanToWrite[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: TraceFileOptions) {
    this.#options = options
    this.#lines = new TraceLines(options.redact)
  }

  add(written: SpanToWrite): void {
    this.#waiting.push(written)
    if (this.#waiting.length >= mostWaiting) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), longestWaitMs).unref()
  }

  /** Resolves when everything is on disk. */
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

  async #write(gathered: readonly SpanToWrite[]): Promise<void> {
    const { redact, path, onSpan, onNotice } = this.#options
    const text = gathered.map(({ span, lists, origin }) => {
      const made = lists()
      onSpan?.({ span, lists: made, origin })
      return this.#lines.of(span, made, origin)
    })
    try {
      await append(path(), this.#before + text.join(''))
      this.#before = ''
    } catch (error) {
      // It is unknown how much was written: later lines must not refer to it.
      this.#lines = new TraceLines(redact)
      this.#before = '\n'
      onNotice?.(`the trace could not be written: ${messageOf(error)}`)
    }
  }
}

const longestWaitMs = 500
const mostWaiting = 64

/** To a regular file, or a new one. */
async function append(path: string, text: string): Promise<void> {
  const file = await open(path, appendFlags)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
    await file.appendFile(text)
  } finally {
    await file.close()
  }
}
