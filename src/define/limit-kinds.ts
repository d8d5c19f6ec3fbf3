import { AssayError } from '../util/errors.ts'
import type { Json } from '../util/json.ts'
import { formatDuration, parseDuration } from '../util/time.ts'

/** How often a run is retried automatically, by class of failure. */
export interface Retries {
  readonly failed: number
  readonly timed_out: number
  readonly infra_error: number
  readonly rate_limited: number
  /** Wait before the first retry; doubles, with jitter. */
  readonly backoff_ms: number
}

export type HaltRule = { readonly failures: number } | { readonly share: number }

/** How a limit is parsed from user input, combined with its earlier value, and written. */
export interface LimitKind<T, Given = T> {
  readonly name: string
  /** Parses a word on the command line; throws a usage error that says what was expected. */
  read(text: string): Given
  over(before: T, given: Given): T
  /** As a user would type it. */
  write(given: Given): string
  /** In the form of an experiment file. */
  inFile(value: T): Json
}

const replaced = <T>(_before: T, given: T): T => given

export const count: LimitKind<number> = {
  name: 'count',
  read(text) {
    if (!/^\d+$/.test(text) || Number(text) === 0) throw expected('a whole number from 1', text)
    return Number(text)
  },
  over: replaced,
  write: String,
  inFile: value => value,
}

export const countFrom0: LimitKind<number> = {
  name: 'count from 0',
  read(text) {
    if (!/^\d+$/.test(text)) throw expected('a whole number from 0', text)
    return Number(text)
  },
  over: replaced,
  write: String,
  inFile: value => value,
}

/** `20`, `$20` or `0.50`. */
export const dollars: LimitKind<number> = {
  name: 'dollars',
  read(text) {
    const number = Number(text.replace(/^\$/, ''))
    if (text.trim() === '' || !Number.isFinite(number) || number < 0)
      throw expected('an amount in USD such as 20 or 0.50', text)
    return number
  },
  over: replaced,
  write: String,
  inFile: value => value,
}

/** `90s`, `30m`, `1h30m`, or a plain number of seconds; kept in milliseconds. */
export const milliseconds: LimitKind<number> = {
  name: 'duration',
  read(text) {
    const ms = parseDuration(text)
    if (ms === null || ms === 0) throw expected('a duration such as 90s, 30m or 1h30m', text)
    return ms
  },
  over: replaced,
  write: formatDuration,
  inFile: formatDuration,
}

/** The same, where none at all is fine in a file. */
export const millisecondsFrom0: LimitKind<number> = { ...milliseconds, name: 'duration from 0' }

export const yesOrNo: LimitKind<boolean> = {
  name: 'yes or no',
  read(text) {
    const word = text.toLowerCase()
    if (['true', 'yes', '1'].includes(word)) return true
    if (['false', 'no', '0'].includes(word)) return false
    throw expected('true or false', text)
  },
  over: replaced,
  write: String,
  inFile: value => value,
}

/** `fail=3`, `fail=10%`, or without `fail=`. */
export const halt: LimitKind<HaltRule> = {
  name: 'halt rule',
  read(text) {
    const rule = parseHaltRule(text)
    if (rule === null) throw expected('a number or share of failures such as fail=3 or fail=10%', text)
    return rule
  },
  over: replaced,
  write: rule => `fail=${haltAmount(rule)}`,
  inFile: rule => ('share' in rule ? haltAmount(rule) : rule.failures),
}

/** null: not a halt rule. */
export function parseHaltRule(text: string): HaltRule | null {
  const [, number = '', percent] = /^(?:fail=)?(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const amount = Number(number)
  if (number === '' || amount <= 0) return null
  if (percent === '%') return amount <= 100 ? { share: amount / 100 } : null
  return Number.isInteger(amount) ? { failures: amount } : null
}

const haltAmount = (rule: HaltRule): string =>
  'share' in rule ? `${Number((rule.share * 100).toPrecision(12))}%` : String(rule.failures)

/** `openai=500rpm,200000tpm`: rates of the named providers. */
export const rates: LimitKind<Rates> = {
  name: 'rates',
  read(text) {
    const [, provider = '', written = ''] = /^([^=]+)=(.*)$/.exec(text) ?? []
    const rate = parseRate(written)
    if (rate === null) throw expected('a provider and its rate, such as openai=500rpm,200000tpm', text)
    return { [provider.trim()]: rate }
  },
  over: (before, given) => ({ ...before, ...given }),
  write: all =>
    Object.entries(all)
      .map(([provider, rate]: [string, RateLimit]) => `${provider}=${formatRate(rate)}`)
      .join(' '),
  inFile: all => Object.fromEntries(Object.entries(all).map(([provider, rate]) => [provider, formatRate(rate)])),
}

/** On the command line one number sets several classes of failure; the others, and the back-off, stay as they are. */
export const retries: LimitKind<Retries, number> = {
  name: 'retries',
  read: countFrom0.read,
  over: (before, times) => retriesOf(times, before),
  write: String,
  inFile: ({ backoff_ms, ...counts }) => ({ ...counts, backoff: formatDuration(backoff_ms) }),
}

export const defaultRetries: Retries = { failed: 0, timed_out: 0, infra_error: 3, rate_limited: 5, backoff_ms: 1000 }

/** The meaning of a plain number of retries. */
export const retriesOf = (times: number, others: Retries): Retries => ({
  ...others,
  failed: times,
  timed_out: times,
  infra_error: times,
})

const expected = (what: string, text: string): AssayError =>
  new AssayError('usage', `expected ${what}, got ${JSON.stringify(text)}`)

export interface Rates {
  readonly [provider: string]: RateLimit
}

/** What may be sent to a provider with one key; null: no limit. */
export interface RateLimit {
  /** Requests in any minute. */
  readonly rpm: number | null
  /** Tokens in any minute, input and output together. */
  readonly tpm: number | null
  /** Calls under way at the same time. */
  readonly concurrency: number | null
}

export const expectedRate = 'expected a rate such as "500rpm", "500rpm,200000tpm" or "60rpm,4 at once"'

/** `500rpm,200k tpm,8 at once`: requests and tokens per minute, and concurrent calls. null: not a rate. */
export function parseRate(text: string): RateLimit | null {
  const rate: { -readonly [Key in keyof RateLimit]: RateLimit[Key] } = { rpm: null, tpm: null, concurrency: null }
  for (const part of text.split(',')) {
    const [, number = '', size = '', unit = ''] =
      /^\s*(\d+(?:\.\d+)?)\s*([km]?)\s*(rpm|tpm|at once)\s*$/i.exec(part) ?? []
    const key = keys[unit.toLowerCase()]
    const amount = Math.round(Number(number) * (sizes[size.toLowerCase()] ?? 1) * 1e6) / 1e6
    if (key === undefined || rate[key] !== null || !Number.isInteger(amount) || amount < 1) return null
    rate[key] = amount
  }
  return rate
}

const keys: { readonly [unit: string]: keyof RateLimit } = { rpm: 'rpm', tpm: 'tpm', 'at once': 'concurrency' }
const sizes: { readonly [letter: string]: number } = { k: 1e3, m: 1e6 }

/** In written form: `500rpm,200000tpm`. */
export function formatRate({ rpm, tpm, concurrency }: RateLimit): string {
  const parts = [
    rpm === null ? '' : `${rpm}rpm`,
    tpm === null ? '' : `${tpm}tpm`,
    concurrency === null ? '' : `${concurrency} at once`,
  ]
  return parts.filter(part => part !== '').join(',')
}

/** One limit: `T` is its value, `Given` its input on the command line, `None` is null if it may be missing. */
export interface LimitRow<T, Given, None extends null, Option extends LimitOption | null> {
  /** Its name in experiment files and `assay set`. */
  readonly key: string
  readonly kind: LimitKind<T, Given>
  /** The default. */
  usual(): T | None
  /** Whether `assay set` removes it with `none`. */
  readonly isOptional: boolean
  /** Whether `assay set` can change it. */
  readonly isSettable: boolean
  /** Whether it can end a run as `cost_limited`: such a run becomes ready again when the limit is raised. */
  readonly cutsRuns: boolean
  readonly about: string
  readonly option: Option
}

/** The equivalent command-line option. */
export interface LimitOption {
  readonly name: string
  readonly group?: 'Limits' | 'Failures'
  readonly short?: string
  /** Other spellings, without dashes. */
  readonly aliases?: readonly string[]
  readonly env?: string
  /** The name of its value in help; without one it is a flag. */
  readonly value?: string
  readonly about: string
}

interface Written<T, Given, Option extends LimitOption | null> {
  readonly key: string
  readonly kind: LimitKind<T, Given>
  readonly cutsRuns?: true
  readonly about: string
  readonly option?: Option
}

export function limit<T, Given, const Option extends LimitOption | null = null>(
  row: Written<T, Given, Option> & { readonly usual: () => NoInfer<T> },
): LimitRow<T, Given, never, Option> {
  return { isOptional: false, isSettable: true, cutsRuns: false, ...row, option: optionOf(row) }
}

export function optionalLimit<T, Given, const Option extends LimitOption | null = null>(
  row: Written<T, Given, Option>,
): LimitRow<T, Given, null, Option> {
  return { isOptional: true, isSettable: true, cutsRuns: false, ...row, usual: () => null, option: optionOf(row) }
}

/** Without an option, its type is null as well. */
function optionOf<Option extends LimitOption | null>(row: { readonly option?: Option }): Option {
  return (row.option ?? null) as Option
}
