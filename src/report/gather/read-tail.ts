import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { plainOutput } from '../../util/plain-output.ts'

export interface FileTail {
  readonly text: string
  /** Of the whole file. */
  readonly bytes: number
}

/** The last lines of a text file, about so many characters; null: there is no such file. */
export function readTail(file: string, most: number): FileTail | null {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return null
  }
  try {
    const bytes = fstatSync(descriptor).size
    const buffer = Buffer.alloc(Math.min(most, bytes))
    readSync(descriptor, buffer, 0, buffer.length, bytes - buffer.length)
    const text = buffer.toString('utf8')
    const isWhole = buffer.length === bytes
    return { text: plainOutput(isWhole ? text : fromLineStart(text)), bytes }
  } finally {
    closeSync(descriptor)
  }
}

/** Half a line, or half a character, is worse than none; unless there is only one. */
function fromLineStart(text: string): string {
  const start = text.indexOf('\n') + 1
  return start > 0 && start < text.length ? text.slice(start) : text.replace(/^\ufffd+/, '')
}
