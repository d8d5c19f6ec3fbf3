import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { AssayError } from '../../util/errors.ts'

/** The most that is read of a file at once. */
export const pageBytes = 256 * 1024

export interface FilePage {
  readonly bytes: Uint8Array
  readonly from: number
  /** The present size of the whole file. */
  readonly size: number
}

/** A piece of a file, however large it is; `from` below 0 counts from the end. Only plain files: others may never end. */
export function filePage(file: string, from: number, most: number): FilePage {
  const descriptor = openPlain(file)
  try {
    const { size } = fstatSync(descriptor)
    const start = Math.min(size, from < 0 ? Math.max(0, size + from) : from)
    const bytes = Buffer.alloc(Math.min(most, pageBytes, size - start))
    const length = readSync(descriptor, bytes, 0, bytes.length, start)
    return { bytes: bytes.subarray(0, length), from: start, size }
  } finally {
    closeSync(descriptor)
  }
}

/** A descriptor of a plain file, to read from; the caller closes it. */
export function openPlain(file: string): number {
  // Opening a pipe would wait for its writer.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new AssayError('usage', 'this is not a file')
}
