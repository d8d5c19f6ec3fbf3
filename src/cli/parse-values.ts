import { parseRanges } from '../define/levels.ts'
import { limitTable } from '../define/limits.ts'
import { AssayError } from '../util/errors.ts'
import { parseDuration } from '../util/time.ts'

/** Parsers of option values. Each reports what it expected and what it got; the caller adds the option's name. */
export const text = (given: string): string => given

/** Text that is not empty. */
export function word(given: string): string {
  if (given.trim() === '') throw expected('text that is not empty', given)
  return given
}

// Numbers and amounts are parsed like those of limits.
export const wholeNumber = limitTable.initial_failures.kind.read

export const positiveNumber = limitTable.jobs.kind.read

export const usd = limitTable.budget_usd.kind.read

/** Milliseconds in `30d` or `1h30m`. */
export function duration(given: string): number {
  const ms = parseDuration(given)
  if (ms === null) throw expected('a duration such as 30d, 12h or 1h30m', given)
  return ms
}

/** Bytes in `1GB`, `200 MB`, `1.5GiB` or `1000`. */
export function size(given: string): number {
  const [, number, prefix = '', binary] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?\s*$/i.exec(given) ?? []
  if (number === undefined) throw expected('a size such as 1GB or 200MB', given)
  const power = ['', 'k', 'm', 'g', 't'].indexOf(prefix.toLowerCase())
  return Math.round(Number(number) * (binary === '' ? 1000 : 1024) ** power)
}

/** `2/5`: the second of five parts. */
export function shard(given: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(given)?.map(Number) ?? []
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw expected('a part such as 2/5, the second of five', given)
  return { index, count }
}

/** `1..15` or `1,2,5`. */
export function seedList(given: string): readonly number[] {
  const seeds = parseRanges(given)
  if (seeds === null || seeds.length === 0) throw expected('seeds such as 1..15 or 1,2,5', given)
  return seeds
}

/** `key=value`, split at the first equals sign. */
export function assignment(given: string): string {
  if (!/^[^=\s]+=/.test(given)) throw expected('key=value', given)
  return given
}

const expected = (what: string, given: string): AssayError =>
  new AssayError('usage', `expected ${what}, got ${JSON.stringify(given)}`)

/** `a,b` */
export const commaList = (given: string): readonly string[] =>
  given
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')

/** `strategy=raw` or `policy=full,load=0.9`, as levels by factor. */
export function levels(given: string): Readonly<Record<string, string>> {
  const parts = commaList(given).map(part => /^([^=]+)=(.*)$/.exec(part))
  if (parts.length === 0 || parts.includes(null))
    throw expected('levels such as strategy=raw or policy=full,load=0.9', given)
  return Object.fromEntries(parts.map(part => [part?.[1]?.trim() ?? '', part?.[2]?.trim() ?? '']))
}

export function decimal(given: string): number {
  const number = Number(given)
  if (given.trim() === '' || !Number.isFinite(number)) throw expected('a number', given)
  return number
}

/** Above 0 and at most 1. */
export function probability(given: string): number {
  const number = decimal(given)
  if (number <= 0 || number > 1) throw expected('a share above 0 and at most 1, such as 0.05', given)
  return number
}

/** Above 0: `0.05` or `5%`. */
export function share(given: string): number {
  const [, number = '', percent] = /^\s*([\d.]+(?:e-?\d+)?)\s*(%?)\s*$/.exec(given) ?? []
  const amount = Number(number) / (percent === '%' ? 100 : 1)
  if (number === '' || !(amount > 0)) throw expected('a share above 0 such as 0.05 or 5%', given)
  return amount
}
