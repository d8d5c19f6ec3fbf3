import { canonicalJson, type Json } from '../util/json.ts'
import type { Domain, Experiment } from './experiment.ts'

type Parts = Pick<Experiment, 'params' | 'factors' | 'zip' | 'include' | 'ablations'>

/** The levels that an entry of `include` gives to a name: a list contains several, unless it is itself a level. */
export function includedLevels(name: string, given: Json, parts: Parts): readonly Json[] {
  const factor = factorIn(parts, name)
  if (factor !== undefined) return levelsIn(given, factor.levels)
  return isListed(name, given, parts) ? given : [given]
}

/** Parameters that are not factors, but get a list of levels from an `include`. */
export function listedNames(parts: Parts): ReadonlySet<string> {
  const entries = parts.include.flatMap(entry => Object.entries(entry))
  const names = entries.filter(([name, given]) => isListed(name, given, parts)).map(([name]) => name)
  return new Set(names.filter(name => name !== 'ablation' && factorIn(parts, name) === undefined))
}

/** If a parameter is a list elsewhere, a list is one of its levels; several levels are then a list of lists. */
function isListed(name: string, given: Json, parts: Parts): given is readonly Json[] {
  if (!Array.isArray(given)) return false
  return given.every(Array.isArray) || !givenElsewhere(name, parts).some(Array.isArray)
}

/** Several levels are given as a list, unless that list is itself a known level. */
export function levelsIn(given: Json, levels: readonly Json[]): readonly Json[] {
  if (!Array.isArray(given)) return [given]
  const text = canonicalJson(given)
  return levels.some(level => canonicalJson(level) === text) ? [given] : given
}

/** Every level that a name has in some variant. */
export function levelsOfName(name: string, parts: Parts): readonly Json[] {
  const included = parts.include.flatMap(({ [name]: given }) =>
    given === undefined ? [] : includedLevels(name, given, parts),
  )
  return [...(factorIn(parts, name)?.levels ?? []), ...givenElsewhere(name, parts), ...included]
}

const factorIn = ({ factors, zip }: Parts, name: string) =>
  [...factors, ...zip.flat()].find(factor => factor.name === name)

const givenElsewhere = (name: string, { params, ablations }: Parts): readonly Json[] =>
  [params, ...ablations.map(({ set }) => set)].flatMap(({ [name]: given }) => (given === undefined ? [] : [given]))

/** Longer ranges are not listed: not all of their values will be run. */
const most = 10_000

/** Every number of a range with steps; empty if there are too many to list, or infinitely many. */
export function levelsOf(domain: Domain): readonly number[] {
  const ends = domain.step === null ? null : stepEnds(domain)
  if (domain.step === null || ends === null || ends.last - ends.first >= most) return []
  const { step } = domain
  return Array.from({ length: ends.last - ends.first + 1 }, (_, index) => stepValue(step, ends.first + index))
}

/** The first and the last step of a domain, or null if it has no end. */
export function stepEnds(domain: Domain): { readonly first: number; readonly last: number } | null {
  if (domain.step === null || domain.kind === 'normal') return null
  const { size, from } = domain.step
  if (domain.kind === 'beta') return { first: roundHalfEven(-from / size), last: roundHalfEven((1 - from) / size) }
  const { min, max } = domain
  if (isCountedFromMinimum(domain)) return { first: 0, last: Math.floor((max - min) / size + 1e-9) }
  return { first: roundHalfEven((min - from) / size), last: roundHalfEven((max - from) / size) }
}

/** Whether all steps of a range are equally likely. */
export const isCountedFromMinimum = ({ step, min }: Domain & { readonly kind: 'uniform' }): boolean =>
  step?.from === min && step.rounded === undefined

/** Without the noise of binary fractions: 0.1 + 2 × 0.1 is 0.3. */
export const stepValue = ({ size, from }: { readonly size: number; readonly from: number }, index: number): number =>
  Number((from + index * size).toPrecision(12))

/** Halves go to the even neighbour, as in NumPy, and thus in the tools whose files we read. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return Math.round(value)
  return floor % 2 === 0 ? floor : floor + 1
}

const mostNumbers = 1_000_000
const part = /^(-?\d+)(?:\.\.(-?\d+)(?:\.\.(\d+))?)?$/

/**
 * For editors, which only know regular expressions: everything that {@link parseRanges} accepts, and hardly anything
 * else.
 */
export const rangesPattern = String.raw`^\s*(-?\d+(\.\.-?\d+){0,2}\s*(,\s*|$))+$`
/** The same without a single number. */
export const severalPattern = String.raw`^(?=.*(\.\.|,))${rangesPattern.slice(1)}`

/**
 * The whole numbers in `7`, `1..15`, `1..15..2` (every second) or `1,2,5..7`, ends included. Null if the text is
 * something else, counts downwards, or means more than a million numbers.
 */
export function parseRanges(text: string): readonly number[] | null {
  const ranges: Range[] = []
  let count = 0
  for (const piece of text.split(',')) {
    const range = parsePiece(piece.trim())
    if (range === null || count + (range.last - range.first) / range.step >= mostNumbers) return null
    ranges.push(range)
    count += countOf(range)
  }
  // Allocated at its full length: a growing list is copied again and again.
  const numbers = new Array<number>(count)
  let at = 0
  for (const { first, last, step } of ranges)
    for (let number = first; number <= last; number += step) numbers[at++] = number
  return numbers
}

/** `1..5` for exactly these numbers, so that {@link parseRanges} returns them; null if they are something else. */
export function rangeOf(levels: readonly Json[]): string | null {
  const [first] = levels
  if (levels.length < 3 || levels.length > mostNumbers || !Number.isSafeInteger(first)) return null
  const from = Number(first)
  const last = from + levels.length - 1
  if (!Number.isSafeInteger(last)) return null
  return levels.every((level, index) => level === from + index) ? `${from}..${last}` : null
}

/** What was expected of a text that looks like a range but is not one; null: it doesn't look like one. */
export function expectedOfRange(text: string): string | null {
  for (const written of text.split(',')) {
    const [, first = '', last = '', step = '1'] =
      /^\s*([^.]|[^.].*?[^.])\.\.([^.]|[^.].*?[^.])(?:\.\.(.+?))?\s*$/.exec(written) ?? []
    const numbers = [first, last, step].map(Number)
    if (first === '' || numbers.some(Number.isNaN)) continue
    if (!numbers.every(Number.isSafeInteger)) return 'expected whole numbers in a range (list others one by one)'
    if (Number(step) < 1) return 'expected a step of 1 or more in a range'
    if (Number(first) > Number(last)) return `expected a range that goes upwards, such as ${last}..${first}`
    if (parsePiece(written.trim()) !== null) return `expected at most ${mostNumbers} numbers`
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
