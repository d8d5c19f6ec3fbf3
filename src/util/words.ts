import { canonicalJson, type Json, type JsonObject } from './json.ts'

/** `instance_id` → `instance`: what a column is about, rather than what it is called. */
export function unitWord(name: string): string {
  const word = name.replace(/[_\- ]?(id|name|key|idx|index)$/i, '').replaceAll('_', ' ')
  return word === '' ? name : word
}

export function plural(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`
  return /(s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`
}

/** `1 seed`, `10 seeds`, `10,000 seeds`. */
export const counted = (n: number, word: string): string => `${grouped(String(n))} ${n === 1 ? word : plural(word)}`

/** `a, b and c`, or `a, b or c`; long lists are cut. */
export function listed(all: readonly string[], most = 4, word: 'and' | 'or' = 'and'): string {
  if (all.length > most) return `${all.slice(0, most).join(', ')} and ${all.length - most} more`
  return all.length < 2 ? (all[0] ?? '') : `${all.slice(0, -1).join(', ')} ${word} ${all.at(-1)}`
}

/** Items in a row that have commas themselves; long lists are cut. */
export const separated = (all: readonly string[], most = 4): string =>
  all.length <= most ? all.join('; ') : `${all.slice(0, most).join('; ')}; and ${all.length - most} more`

/** Enough of a commit, or of another digest, for people to recognise it; whatever follows it is kept. */
export const shortCommit = (digest: string): string => digest.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1')

/** Numbers as a sentence needs them: three significant digits, a real minus, never `1e-7` in text for people. */
export function plainNumber(value: number): string {
  if (value === 0) return '0'
  // 0.9999 is written as 1.00, not as 1.000.
  const size = Math.abs(Number(value.toPrecision(3)))
  if (size >= 1e9 || size < 1e-6) return minus(value.toExponential(2).replace('e+', 'e'))
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)))
  return minus(grouped(value.toFixed(Math.min(digits, 9))))
}

/** A drawn value with at most three digits: 0.00155, 115, 0.3. */
export const shortNumber = (value: number): string =>
  Number.isInteger(value)
    ? grouped(minus(String(value)))
    : plainNumber(value)
        .replace(/(\.\d*?)0+$/, '$1')
        .replace(/\.$/, '')

/** From ten thousand on, groups of three digits are easier to read. */
export function grouped(text: string): string {
  const [whole = '', rest] = text.split('.')
  const spaced = whole.replace('-', '').length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, ',') : whole
  return rest === undefined ? spaced : `${spaced}.${rest}`
}

const minus = (text: string): string => text.replace(/^-/, '−')

/** `95%`, `47.6%`. */
export const percentText = (share: number): string => `${minus(String(Number((share * 100).toPrecision(3))))}%`

/** p never reads as 0, and never as 0.05 when it is not. */
export function pText(p: number): string {
  if (p < 0.0001) return 'p < 0.0001'
  if (p < 0.01) return `p = ${p.toPrecision(2)}`
  const text = p.toFixed(3)
  if (text === '1.000') return 'p = 1'
  return `p = ${text === '0.050' ? p.toFixed(5).replace(/0+$/, '') : text}`
}

/** Dollars for people: cents, or two digits of smaller amounts. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  if (size === Number.POSITIVE_INFINITY) return value < 0 ? '−∞' : '∞'
  return `${value < 0 ? '−' : ''}$${size === 0 || size >= 0.0995 ? grouped(size.toFixed(2)) : partsOfCents(size)}`
}

function partsOfCents(size: number): string {
  if (size < 1e-6) return size.toExponential(1)
  return size.toFixed(1 - Math.floor(Math.log10(size))).replace(/(\.\d\d\d*?)0+$/, '$1')
}

/** Dollars to the last digit, for a limit and for amounts compared with it. */
export function exactDollars(value: number): string {
  // Sums of cents are not exact: $0.57, not $0.5700000000000001.
  const text = String(Number(Math.abs(value).toPrecision(12)))
  const cents = /^\d+$/.test(text) ? '.00' : /^\d+\.\d$/.test(text) ? '0' : ''
  return `${value < 0 ? '−' : ''}$${text}${cents}`
}

/** Only a name that says dollars means dollars, as `cost_usd` does: a `cost` may be anything. */
export const isMoney = (metric: string): boolean =>
  metric.split(/[^a-zA-Z]+|(?<=[a-z])(?=[A-Z])/).some(word => word.toLowerCase() === 'usd')

/** How a metric's values are written, judging by its name. */
export function amountText(metric: string): (value: number) => string {
  if (isMoney(metric)) return dollars
  return value => inUnit(unitOf(metric, value), value)
}

/** The unit in which people would write a metric's numbers: 17,300 of `wait_ms` are 17.3 s. */
export interface Unit {
  /** Empty if the name gives no unit. */
  readonly name: string
  /** How many of the metric's own units make one of these. */
  readonly size: number
}

export function unitOf(metric: string, value: number): Unit {
  const second = secondIn(metric)
  if (second === null) return { name: '', size: 1 }
  const seconds = Math.abs(value) / second
  const [name, length] = timeUnits.find(([, , least]) => seconds >= least) ?? ['s', 1]
  return { name, size: length * second }
}

/** The unit of the neighbouring numbers, unless the value is tiny in it: less than a minute is in seconds, 0.4 s stays. */
export function unitBeside(common: Unit, metric: string, value: number): Unit {
  const least = common.name === 'min' || common.name === 'h' ? 1 : 0.1
  return Math.abs(value) < least * common.size ? unitOf(metric, value) : common
}

/** Largest first: its length in seconds, and from how many seconds on it is used. */
const timeUnits: readonly (readonly [name: string, seconds: number, least: number])[] = [
  ['h', 3600, 3 * 3600],
  ['min', 60, 600],
  // 0.9995 s already reads as 1.00 s, so it is not written as 1000 ms.
  ['s', 1, 0.9995],
  ['ms', 0.001, Number.MIN_VALUE],
]

/** How many of the metric's units a second has; null: it is not a time. */
function secondIn(metric: string): number | null {
  if (/_ms$/.test(metric)) return 1000
  return /(^|_)(seconds|wall_s)$|_s$/.test(metric) ? 1 : null
}

const inUnit = ({ name, size }: Unit, value: number): string =>
  name === '' ? plainNumber(value) : `${plainNumber(value / size)} ${name}`

/** How the numbers of a comparison are written. */
export interface Writing {
  /** A mean: `$0.41`, `32.8%`. */
  readonly value: (value: number) => string
  /** A difference of means: `$0.24`, `2.8 pts`. */
  readonly difference: (value: number) => string
  /** The same in running text. */
  readonly spoken: (value: number) => string
  /** An end of an interval, after a difference that already gives the unit. */
  readonly bound: (value: number) => string
}

/** A value to write; with an interval, its numbers get no more digits than the interval supports. */
interface Written {
  readonly metric: string
  readonly yes_no: boolean
  readonly ci?: { readonly low: number | null; readonly high: number | null } | null
}

/** Shares are written in percent, and their differences in percentage points, because 3% of 30% is not 3 points. */
export function writingOf({ metric, yes_no, ci = null }: Written): Writing {
  if (!yes_no) {
    const write = amountText(metric)
    const rounded = (value: number) => roundedTo(coarsest(ci), value)
    const amount = isMoney(metric) ? write : (value: number) => write(rounded(value))
    const within = secondIn(metric) === null ? amount : (value: number) => timeWithin(ci, metric, value)
    return { value: amount, difference: within, spoken: within, bound: within }
  }
  const points = (value: number): string => minus((value * 100).toFixed(1).replace(/^-0\.0$/, '0.0'))
  return {
    value: value => `${points(value)}%`,
    difference: value => `${points(value)} pts`,
    spoken: value => `${points(value)} percentage points`,
    bound: points,
  }
}

/** In the unit of the interval's farther end, unless that is tiny in it, and with enough digits to tell its ends apart. */
function timeWithin(ci: Written['ci'], metric: string, value: number): string {
  const { low, high } = ci ?? { low: null, high: null }
  const common = unitOf(metric, Math.max(Math.abs(low ?? 0), Math.abs(high ?? 0)) || value)
  const { name, size } = unitBeside(common, metric, value)
  const width = low === null || high === null ? 0 : (high - low) / size
  const needed = width > 0 ? Math.min(9, 1 - Math.floor(Math.log10(width))) : 0
  const usual = plainNumber(value / size)
  const decimals = usual.split('.')[1]?.length ?? 0
  const text = value !== 0 && needed > decimals ? minus(grouped((value / size).toFixed(needed))) : usual
  return `${text} ${name}`
}

/** Three digits of an interval's width: anything finer is noise. */
function coarsest(ci: Written['ci']): number {
  const width = ci?.low == null || ci.high === null ? 0 : ci.high - ci.low
  return width > 0 ? 10 ** (Math.floor(Math.log10(width)) - 2) : 0
}

/** Whole numbers of more than three digits are rounded to the step; no number loses one of its first three digits. */
function roundedTo(step: number, value: number): number {
  const own = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2)
  const by = Math.min(step, own)
  return by > 1 ? Math.round(value / by) * by : value
}

/** p in words: `p ≤ 0.0002` if no resample was as extreme as the data, because more resamples might give a smaller p. */
export const chanceText = (p: number, isBound: boolean): string =>
  isBound ? pText(p).replace(/^p = /, 'p ≤ ') : pText(p)

/** A name on one line: line ends, terminal escapes and marks that change the direction of writing are spelt out. */
export const nameText = (name: string): string =>
  name.replace(unprintable, found => shortEscapes[found] ?? `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)

const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const shortEscapes: { readonly [character: string]: string } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A program's output without colours and other terminal escapes; of a line that was overwritten, the last version. */
export function plainOutput(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must go
      .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g, '')
      .split('\n')
      .map(seenLast)
      .join('\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd')
  )
}

/** Not a regular expression: on a long line without a carriage return it would take quadratic time. */
function seenLast(line: string): string {
  const whole = line.endsWith('\r') ? line.slice(0, -1) : line
  return whole.slice(whole.lastIndexOf('\r') + 1)
}

/** How an option is written on the command line: `dryRun` → `--dry-run`. */
export const longFlag = (name: string): string => `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`

/** As one word for a POSIX shell, whatever it contains. */
export const shellQuote = (value: string): string =>
  /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`

/** Text for use between XML tags. XML allows no control characters, not even escaped ones. */
export function escapedXml(text: string): string {
  const printable = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return printable.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

/** A level as people write it: text without quotes. */
export const levelText = (level: Json): string => (typeof level === 'string' ? level : canonicalJson(level))

/**
 * The texts of a factor's levels, where sentences are levels: without what all of them begin and end with. A table or
 * a chart would cut off the very words in which they differ. Words, letters with accents and emoji stay whole.
 */
export function tellingTexts(levels: readonly Json[]): (level: Json) => string {
  // A level that does not apply has no words.
  const texts = [...new Set(levels.filter(level => level !== null).map(levelText))]
  const [first = ''] = texts
  if (texts.length < 2 || texts.every(text => text.length <= longestLevel)) return levelText
  const alike = (at: (text: string, index: number) => string | undefined): number => {
    let count = 0
    while (count < first.length && texts.every(text => at(text, count) === at(first, count))) count++
    return count
  }
  const before = first
    .slice(
      0,
      alike((text, index) => text[index]),
    )
    .replace(/[\p{L}\p{M}\p{N}\p{Cs}_.-]+$/u, '').length
  const least = Math.min(...texts.map(({ length }) => length)) - before
  const after = Math.min(
    least,
    alike((text, index) => text.at(-1 - index)),
  )
  const words = after === 0 ? 0 : first.slice(-after).replace(/^[\p{L}\p{M}\p{N}\p{Cs}_-]+/u, '').length
  return level => {
    const text = levelText(level)
    const own = text.slice(before, text.length - words).trim()
    return level === null || own === '' || own.length === text.length
      ? text
      : `${before > 0 ? '…' : ''}${own}${words > 0 ? '…' : ''}`
  }
}

/** Shorter ones are written in full. */
const longestLevel = 24

/** `model=a, size=2`. */
export const levelsText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}=${levelText(level)}`)
    .join(', ')

/**
 * A value as part of a file name: letters (of any script), digits and `._-`, and nothing that a path or a shell could
 * misread.
 */
export function slugOf(value: Json): string {
  // The sign of a number must stay; it is never at the start of a name.
  if (typeof value === 'number') return String(value).replace('+', '')
  const text = levelText(value)
  return (
    trimmed(
      text
        .normalize('NFC')
        .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
        .replaceAll(/\.{2,}/g, '.'),
    ) || 'blank'
  )
}

/** `policy-full_workflows-50`. The parts are slugs already, or empty. */
export function joinSlugs(...parts: readonly string[]): string {
  let joined = ''
  for (const part of parts) if (part !== '') joined += joined === '' ? part : `_${part}`
  return joined
}

/** Cut to a number of bytes, which file systems count; whole characters only. */
export function shortened(slug: string, bytes: number): string {
  if (slug.length * 3 <= bytes) return slug
  // Counted by hand: TextEncoder takes longer than the rest of a run's name, and browsers have no Buffer.
  let used = 0
  for (let at = 0; at < slug.length; ) {
    const code = slug.codePointAt(at) ?? 0
    used += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (used > bytes) return trimmed(slug.slice(0, at))
    at += code < 0x10000 ? 1 : 2
  }
  return slug
}

const trimmed = (slug: string): string => slug.replace(/^[._-]+/, '').replace(/[._-]+$/, '')
