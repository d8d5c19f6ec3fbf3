import type { HaltRule, RateLimit } from '../define/experiment.ts'
import { parseRate } from '../define/rate.ts'
import { parseDuration } from '../util/duration.ts'
import { AssayError } from '../util/errors.ts'
import { parseRanges } from '../util/ranges.ts'

/** Readers of option values. Each says what it expected and what came; the option's name is added where it is known. */
export const text = (given: string): string => given

/** Text that says something. */
export function word(given: string): string {
  if (given.trim() === '') throw expected('text that is not empty', given)
  return given
}

export function wholeNumber(given: string): number {
  if (!/^\d+$/.test(given)) throw expected('a whole number from 0', given)
  return Number(given)
}

export function positiveNumber(given: string): number {
  if (!/^\d+$/.test(given) || Number(given) === 0) throw expected('a whole number from 1', given)
  return Number(given)
}

/** `20`, `$20` or `0.50`. */
export function usd(given: string): number {
  const number = Number(given.replace(/^\$/, ''))
  if (given.trim() === '' || !Number.isFinite(number) || number < 0)
    throw expected('an amount in USD such as 20 or 0.50', given)
  return number
}

/** `openai=500rpm,200000tpm`: whose rate, and which. */
export function providerRate(given: string): readonly [provider: string, rate: RateLimit] {
  const [, provider = '', written = ''] = /^([^=]+)=(.*)$/.exec(given) ?? []
  const rate = parseRate(written)
  if (rate === null) throw expected('a provider and its rate, such as openai=500rpm,200000tpm', given)
  return [provider.trim(), rate]
}

/** `2/5`: the second of five parts. */
export function shard(given: string): { readonly index: number; readonly count: number } {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(given)?.map(Number) ?? []
  if (index === undefined || count === undefined || index < 1 || index > count)
    throw expected('a part such as 2/5, the second of five', given)
  return { index, count }
}

export function yesOrNo(given: string): boolean {
  const word = given.toLowerCase()
  if (['true', 'yes', '1'].includes(word)) return true
  if (['false', 'no', '0'].includes(word)) return false
  throw expected('true or false', given)
}

/** `90s`, `30m`, `1h30m`, or a plain number of seconds; in milliseconds. */
export function duration(given: string): number {
  const ms = parseDuration(given)
  if (ms === null || ms === 0) throw expected('a duration such as 90s, 30m or 1h30m', given)
  return ms
}

/** `1..15` or `1,2,5`. */
export function seedList(given: string): readonly number[] {
  const seeds = parseRanges(given)
  if (seeds === null || seeds.length === 0) throw expected('seeds such as 1..15 or 1,2,5', given)
  return seeds
}

/** `fail=3`, `fail=10%`, or without `fail=`. */
export function haltRule(given: string): HaltRule {
  const [, number = '', percent] = /^(?:fail=)?(\d+(?:\.\d+)?)(%?)$/.exec(given) ?? []
  const amount = Number(number)
  const isRight = number !== '' && amount > 0 && (percent === '%' ? amount <= 100 : Number.isInteger(amount))
  if (!isRight) throw expected('a number or share of failures such as fail=3 or fail=10%', given)
  return percent === '%' ? { share: amount / 100 } : { failures: amount }
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
