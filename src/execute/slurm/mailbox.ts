import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { systemCode } from '../../util/errors.ts'

/** One writer, any readers: a file on a shared file system, with a message on each line. */
export function post(file: string, message: unknown): void {
  appendFileSync(file, `${JSON.stringify(message)}\n`)
}

/** Reads what is new in a mailbox. A line that is not whole yet is read when it is. */
export class Mailbox {
  readonly file: string
  #offset = 0

  constructor(file: string) {
    this.file = file
  }

  /** A damaged line is passed over. */
  news(): readonly unknown[] {
    // Opening a file is what makes a network file system look at it anew.
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
