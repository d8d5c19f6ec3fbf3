import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '../../util/errors.ts'

/** One writer, any number of readers: a file on a shared file system with one message per line. */
export function post(file: string, message: unknown): void {
  appendFileSync(file, `${JSON.stringify(message)}\n`)
}

/** Reads new messages of a mailbox. An incomplete line is read once it is complete. */
export class Mailbox {
  readonly file: string
  #offset = 0

  constructor(file: string) {
    this.file = file
  }

  /** A damaged line is skipped. */
  news(): readonly unknown[] {
    // Opening a file makes a network file system refresh it.
    const descriptor = opened(this.file)
    if (descriptor === null) return []
    try {
      const length = fstatSync(descriptor).size - this.#offset
      if (length <= 0) return []
      const bytes = Buffer.alloc(length)
      const read = readSync(descriptor, bytes, 0, length, this.#offset)
      const end = bytes.subarray(0, read).lastIndexOf(10) + 1
      this.#offset += end
      return bytes.subarray(0, end).toString('utf8').split('\n').flatMap(parsed)
    } finally {
      closeSync(descriptor)
    }
  }
}

function opened(file: string): number | null {
  try {
    return openSync(file, 'r')
  } catch (error) {
    // ESTALE: a network file system has lost it for the moment.
    if (['ENOENT', 'ESTALE', 'EIO'].includes(systemCode(error) ?? '')) return null
    throw error
  }
}

function parsed(line: string): readonly unknown[] {
  try {
    return line === '' ? [] : [JSON.parse(line)]
  } catch {
    return []
  }
}
