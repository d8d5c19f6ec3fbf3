import { closeSync, openSync, writeSync } from 'node:fs'

/**
 * A file that never grows beyond a number of bytes, whatever is written to it: it keeps the beginning and the end, and
 * between them one line that says how much is missing. The end stays in memory until the file is closed.
 */
export class CappedFile {
  readonly #descriptor: number
  readonly #headBytes: number
  readonly #tailBytes: number
  #written = 0
  #tail: Buffer[] = []
  #tailLength = 0
  #cut = 0
  #isClosed = false

  constructor(file: string, mostBytes: number) {
    this.#descriptor = openSync(file, 'w')
    this.#tailBytes = Math.floor(mostBytes / 2)
    this.#headBytes = mostBytes - this.#tailBytes
  }

  /** Bytes that are not kept. */
  get cutBytes(): number {
    return this.#cut
  }

  write(chunk: Buffer): void {
    if (this.#isClosed) return
    const room = this.#headBytes - this.#written
    const head = chunk.subarray(0, room)
    if (head.length > 0) this.#writeHead(head)
    if (chunk.length > room) this.#keep(chunk.subarray(Math.max(0, room)))
  }

  /** A full disk must not crash a run: what does not fit counts as cut. */
  #writeHead(head: Buffer): void {
    this.#written += head.length
    try {
      writeSync(this.#descriptor, head)
    } catch {
      this.#cut += head.length
    }
  }

  #keep(chunk: Buffer): void {
    // A copy: a part of a large chunk would keep all of it in memory.
    this.#tail.push(Buffer.from(chunk))
    this.#tailLength += chunk.length
    while (this.#tailLength > this.#tailBytes) {
      const [first = Buffer.alloc(0)] = this.#tail
      const over = Math.min(this.#tailLength - this.#tailBytes, first.length)
      this.#cut += over
      this.#tailLength -= over
      if (over === first.length) this.#tail.shift()
      else this.#tail[0] = first.subarray(over)
    }
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      if (this.#cut > 0) writeSync(this.#descriptor, `\n[assay: ${this.#cut} bytes of output were not kept]\n`)
      for (const chunk of this.#tail) writeSync(this.#descriptor, chunk)
    } catch {
      this.#cut += this.#tailLength
    } finally {
      this.#tail = []
      closeSync(this.#descriptor)
    }
  }
}
