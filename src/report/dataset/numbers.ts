import type { ByteReader } from './byte-reader.ts'
import type { ByteWriter } from './byte-writer.ts'

/** How a list of numbers is written: as decimals with this many digits after the point, or bit by bit. */
export type NumberCode = { readonly kind: 'decimal'; readonly digits: number } | { readonly kind: 'double' }

/** Every number is restored exactly, including NaN and −0: the page must compute the same as the command line. */
export function writeNumbers(values: readonly number[], writer: ByteWriter): NumberCode {
  const digits = decimalDigits(values)
  if (digits === null) {
    writeDoubles(values, writer)
    return { kind: 'double' }
  }
  let last = 0
  for (const value of values) {
    const whole = Math.round(value * 10 ** digits)
    writer.signed(whole - last)
    last = whole
  }
  return { kind: 'decimal', digits }
}

export function readNumbers(code: NumberCode, count: number, reader: ByteReader): number[] {
  if (code.kind === 'double') return readDoubles(count, reader)
  const unit = 10 ** code.digits
  let whole = 0
  return Array.from({ length: count }, () => {
    whole += reader.signed()
    return whole / unit
  })
}

const mostDigits = 9

/** Small enough that the difference of two is still exact. */
const largestWhole = 2 ** 51

/** The fewest digits with which each number is exactly a whole number over a power of ten; null: there are none. */
function decimalDigits(values: readonly number[]): number | null {
  let digits = 0
  for (const value of values) while (!isDecimal(value, digits)) if (++digits > mostDigits) return null
  return values.every(value => isDecimal(value, digits)) ? digits : null
}

function isDecimal(value: number, digits: number): boolean {
  const whole = Math.round(value * 10 ** digits)
  // −0 is not a whole number of anything: it is kept as it is.
  return Math.abs(whole) <= largestWhole && whole / 10 ** digits === value && !Object.is(value, -0)
}

/** All first bytes, then all second bytes, …, the highest first: signs and exponents are similar and compress well. */
function writeDoubles(values: readonly number[], writer: ByteWriter): void {
  const bytes = new Uint8Array(8 * values.length)
  const view = new DataView(bytes.buffer)
  for (const [at, value] of values.entries()) view.setFloat64(8 * at, value)
  for (let plane = 0; plane < 8; plane++)
    for (let at = 0; at < values.length; at++) writer.byte(bytes[8 * at + plane] ?? 0)
}

function readDoubles(count: number, reader: ByteReader): number[] {
  const bytes = new Uint8Array(8 * count)
  for (let plane = 0; plane < 8; plane++) for (let at = 0; at < count; at++) bytes[8 * at + plane] = reader.byte()
  const view = new DataView(bytes.buffer)
  return Array.from({ length: count }, (_, at) => view.getFloat64(8 * at))
}
