const most = 1_000_000
const part = /^(-?\d+)(?:\.\.(-?\d+)(?:\.\.(\d+))?)?$/

/** For editors, which know regular expressions and no more: all that {@link parseRanges} takes, and hardly anything else. */
export const rangesPattern = String.raw`^\s*(-?\d+(\.\.-?\d+){0,2}\s*(,\s*|$))+$`
/** The same without a single number. */
export const severalPattern = String.raw`^(?=.*(\.\.|,))${rangesPattern.slice(1)}`

/**
 * The whole numbers in `7`, `1..15`, `1..15..2` (every second) or `1,2,5..7`, ends included.
 * Null when the text is something else, counts downwards, or means more than a million numbers.
 */
export function parseRanges(text: string): readonly number[] | null {
  const ranges: Range[] = []
  let count = 0
  for (const piece of text.split(',')) {
    const range = parsePiece(piece.trim())
    if (range === null || count + (range.last - range.first) / range.step >= most) return null
    ranges.push(range)
    count += countOf(range)
  }
  // As long as it will be from the beginning: a list that grows is copied again and again.
  const numbers = new Array<number>(count)
  let at = 0
  for (const { first, last, step } of ranges)
    for (let number = first; number <= last; number += step) numbers[at++] = number
  return numbers
}

/** What is wrong with a text that was meant to be a range but is none, as what was expected; null: it was not meant to be. */
export function expectedOfRange(text: string): string | null {
  for (const written of text.split(',')) {
    const [, first = '', last = '', step = '1'] =
      /^\s*([^.]|[^.].*?[^.])\.\.([^.]|[^.].*?[^.])(?:\.\.(.+?))?\s*$/.exec(written) ?? []
    const numbers = [first, last, step].map(Number)
    if (first === '' || numbers.some(Number.isNaN)) continue
    if (!numbers.every(Number.isSafeInteger)) return 'expected whole numbers in a range (list others one by one)'
    if (Number(step) < 1) return 'expected a step of 1 or more in a range'
    if (Number(first) > Number(last)) return `expected a range that goes upwards, such as ${last}..${first}`
    if (parsePiece(written.trim()) !== null) return `expected at most ${most} numbers`
  }
  return null
}

interface Range {
  readonly first: number
  readonly last: number
  readonly step: number
}

const countOf = ({ first, last, step }: Range): number => Math.floor((last - first) / step) + 1

function parsePiece(piece: string): Range | null {
  const match = part.exec(piece)
  if (match === null) return null
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  const step = Number(match[3] ?? 1)
  const isUsable = Number.isSafeInteger(first) && Number.isSafeInteger(last) && first <= last && step > 0
  return isUsable ? { first, last, step } : null
}
