import { parseRanges } from '../define/levels.ts'
import { AssayError } from '../util/errors.ts'
import { decimal } from './parse-values.ts'

/** Parsers of option values for planning; see parse-values.ts. */

/** `0.02`, `-3`, `2pts` (percentage points). */
export function numberOrPoints(given: string): number {
  const [, points] = /^(-?[\d.]+) ?(?:pts?|points)$/.exec(given) ?? []
  const number = points === undefined ? decimal(given) : decimal(points) / 100
  if (number === 0) throw expected('a difference other than 0', given)
  return number
}

export function positiveDecimal(given: string): number {
  const number = decimal(given)
  if (number <= 0) throw expected('a number above 0', given)
  return number
}

export function notNegative(given: string): number {
  const number = decimal(given)
  if (number < 0) throw expected('a number, 0 or more', given)
  return number
}

/** A power of 100% would need infinitely many runs. */
export function powerShare(given: string): number {
  const number = decimal(given)
  if (number <= 0 || number >= 1) throw expected('a power between 0 and 1, such as 0.8', given)
  return number
}

/** `5,10,20` or `5..20`: whole numbers from 2, each once, in order. */
export function sizeList(given: string): readonly number[] {
  const sizes = parseRanges(given.replaceAll(/[[\]\s]/g, ''))
  if (sizes === null || sizes.length === 0 || sizes.some(size => size < 2))
    throw expected('whole numbers from 2, such as 5,10,20 or 5..20', given)
  return [...new Set(sizes)].toSorted((a, b) => a - b)
}

const expected = (what: string, given: string): AssayError =>
  new AssayError('usage', `expected ${what}, got ${JSON.stringify(given)}`)
