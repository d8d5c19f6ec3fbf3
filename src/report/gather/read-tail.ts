import { readEndOf } from '../../util/open-regular.ts'
import { plainOutput } from '../../util/plain-output.ts'

export interface FileTail {
  readonly text: string
  /** Of the whole file. */
  readonly bytes: number
}

/** The last lines of a text file, about so many characters; null: there is no such file. */
export function readTail(file: string, most: number): FileTail | null {
  const found = readEndOf(file, most)
  if (found === null) return null
  const text = found.end.toString('utf8')
  const isWhole = found.end.length === found.size
  return { text: plainOutput(isWhole ? text : fromLineStart(text)), bytes: found.size }
}

/** Half a line, or half a character, is worse than none; unless there is only one. */
function fromLineStart(text: string): string {
  const start = text.indexOf('\n') + 1
  return start > 0 && start < text.length ? text.slice(start) : text.replace(/^\ufffd+/, '')
}
