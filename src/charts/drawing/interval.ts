import type { Range } from '../chart.ts'
import { decimalsFor, fixed, isDrawable, threeDigits } from './numbers.ts'

/** A number that may be missing, with its interval; if there is no number, the reason in words. */
export interface Measured {
  readonly value: number | null
  readonly interval?: Range | null
  readonly reason?: string | null
}

export function drawableRange(range: Range | null | undefined): Range | null {
  const isOne = range != null && range.low <= range.high
  return isOne && range.low < Number.POSITIVE_INFINITY && range.high > Number.NEGATIVE_INFINITY ? range : null
}

/** An interval without end is drawn up to the frame. */
export function clamped({ low, high }: Range, [from, to]: readonly [number, number]): Range {
  return { low: Math.max(low, from), high: Math.min(high, to) }
}

/** The smallest and the largest drawn value, or null if there are none. */
export function extentOf(values: Iterable<number | null | undefined>): Range | null {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (!isDrawable(value)) continue
    if (value < low) low = value
    if (value > high) high = value
  }
  return low <= high ? { low, high } : null
}

/** Room on both sides, so that no mark sits on the frame; a single value gets a frame around it. */
export function padded({ low, high }: Range, share = 0.06): [number, number] {
  const width = high - low
  const room = width > 0 ? width * share : Math.abs(low) * 0.1 || 1
  return [low - room, high + room]
}

/**
 * Estimates as the cells of one column, with the decimals that their intervals support: `53.4 [49.0, 57.7]`. Rows whose
 * interval is far wider or narrower than the usual one have their own number of decimals: 8.2 [7.6, 8.7] below 365
 * [288, 441].
 */
export function estimateTexts(
  rows: readonly Measured[],
  write: (value: number, decimals: number | undefined) => string = fixed,
): string[] {
  const ranges = rows.map(({ interval }) => drawableRange(interval))
  const known = ranges.filter(range => range !== null)
  const usual = decimalsOf(known)
  const widths = known.map(widthOf).sort((x, y) => x - y)
  const middle = widths[Math.floor(widths.length / 2)] ?? 0
  const isUsual = (width: number) => width <= farFrom * middle && middle <= farFrom * width
  const isWhole = known.length === 0 && rows.every(({ value }) => value === null || Number.isInteger(value))
  return rows.map(({ value }, at) => {
    if (!isDrawable(value)) return '–'
    const range = ranges[at] ?? null
    if (range === null) return write(value, known.length > 0 ? usual : isWhole ? 0 : threeDigits([Math.abs(value)]))
    const decimals = isUsual(widthOf(range)) ? usual : decimalsOf([range])
    return `${write(value, decimals)} [${write(range.low, decimals)}, ${write(range.high, decimals)}]`
  })
}

const farFrom = 3

const widthOf = ({ low, high }: Range): number => high - low

const decimalsOf = (ranges: readonly Range[]): number | undefined =>
  larger(
    decimalsFor(ranges.map(widthOf)),
    threeDigits(ranges.map(({ low, high }) => Math.max(Math.abs(low), Math.abs(high)))),
  )

/** A narrow interval needs its own two digits, a wide one the three that a sentence about it has. */
const larger = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.max(a, b)

/** Values and both ends of their intervals: everything that must be inside the frame. */
export function endsOf(rows: readonly Measured[]): (number | null | undefined)[] {
  return rows.flatMap(({ value, interval }) => [value, drawableRange(interval)?.low, drawableRange(interval)?.high])
}
