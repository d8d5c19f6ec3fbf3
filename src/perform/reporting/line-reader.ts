import { closeSync, existsSync, readSync } from 'node:fs'
import { openRegular } from '../../util/files.ts'

/** Reads a growing text file line by line, continuing where it stopped. Bytes that are not UTF-8 do no harm. */
export class LineReader {
  readonly #file: string
  readonly #folder: string
  #offset = 0
  /** The pieces of an incomplete line, joined at its end: otherwise a long line would be copied for every new piece. */
  #rest: Buffer[] = []
  #restBytes = 0
  #line = 0

  /** Only a regular file inside the folder is read. */
  constructor(file: string, folder: string) {
    this.#file = file
    this.#folder = folder
  }

  /**
   * Calls back for every complete new line; a missing file has none. Returns whether it reached the end, or `atMost`.
   */
  read(onLine: (text: string, number: number) => void, atMost = Number.POSITIVE_INFINITY): 'end' | 'more' {
    const descriptor = openIfThere(this.#file, this.#folder)
    if (descriptor === null) return 'end'
    try {
      const chunk = Buffer.allocUnsafe(chunkBytes)
      for (const until = this.#offset + atMost; ; ) {
        if (this.#offset >= until) return 'more'
        const length = readSync(descriptor, chunk, 0, chunkBytes, this.#offset)
        if (length === 0) return 'end'
        this.#offset += length
        this.#split(chunk.subarray(0, length), onLine)
        if (this.#offset > mostBytes) throw new FileTooLarge(`is larger than ${mostBytes / 1e6} MB`)
        if (this.#restBytes > longestLine) throw new FileTooLarge(`has a line of more than ${longestLine / 1e6} MB`)
      }
    } finally {
      closeSync(descriptor)
    }
  }

  /** The text after the last line end: a line whose writer was interrupted, or simply had no more to say. */
  readRest(onLine: (text: string, number: number) => void): void {
    if (this.#restBytes > 0) onLine(this.#takeRest(), this.#line + 1)
  }

  #split(chunk: Buffer, onLine: (text: string, number: number) => void): void {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end))
      start = end + 1
      onLine(this.#takeRest(), ++this.#line)
    }
    // The chunk is read into again.
    if (start < chunk.length) this.#keep(Buffer.from(chunk.subarray(start)))
  }

  #keep(piece: Buffer): void {
    this.#rest.push(piece)
    this.#restBytes += piece.length
  }

  #takeRest(): string {
    const pieces = this.#rest
    this.#rest = []
    this.#restBytes = 0
    return (pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)).toString()
  }
}

/** Thrown instead of filling the memory. */
export class FileTooLarge extends Error {
  constructor(what: string) {
    super(`${what} and was not read to its end`)
    this.name = 'FileTooLarge'
  }
}

const lineFeed = 10
const chunkBytes = 1 << 16
const mostBytes = 500_000_000
const longestLine = 16_000_000

/** Most runs write no such file, and a system call that fails costs an error with its stack. */
function openIfThere(file: string, folder: string): number | null {
  if (!existsSync(file)) return null
  const opened = openRegular(file, folder)
  if (opened === 'missing') return null
  if ('problem' in opened) throw new Error(opened.problem)
  return opened.descriptor
}
