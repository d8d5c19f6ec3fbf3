import { plainOutput } from '../../../util/words.ts'

/**
 * Output in a form that a model can read: text without control characters, its beginning and its end. `lost`: bytes
 * between them that were never kept.
 */
export function shownOutput(written: string, { lost, most }: { readonly lost: number; readonly most: number }): string {
  const text = plainOutput(written).replaceAll(/\ufffd{4,}/g, run => `[${run.length} bytes that are no text]`)
  if (text.length <= most) return text
  const half = Math.floor(most / 2)
  const head = text.slice(0, half).toWellFormed()
  const tail = text.slice(half - most).toWellFormed()
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail) + lost
  return `${head}\n[… ${left} bytes left out …]\n${tail}`
}

/** How much of an output is kept if so many characters are shown: enough that a cut of the file is never among them. */
export const keptBytes = (most: number): number => 8 * most + 1000
