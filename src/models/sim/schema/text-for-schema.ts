import RandExp from 'randexp'
import type { JsonObject } from '../../../util/json.ts'
import type { Random } from '../../../util/random.ts'
import { SimRefused } from '../sim-refused.ts'
import { expression } from './violation.ts'

/** A text with the length, pattern or format that a schema requires. */
export function textForSchema(schema: JsonObject, random: Random): string {
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : Number.POSITIVE_INFINITY
  if (typeof schema.pattern === 'string') return textMatching(schema.pattern, { least, most }, random)
  if (typeof schema.format === 'string') return textOfFormat(schema.format, random)
  return 'simulated'.padEnd(least, '.').slice(0, most)
}

function textMatching(pattern: string, { least, most }: { least: number; most: number }, random: Random): string {
  const maker = new RandExp(expression(pattern).source)
  maker.randInt = (from, to) => random.integer(from, Math.max(from, to))
  // The most repetitions of what may be repeated at will: first few, then enough for the shortest text that is allowed.
  for (const repetitions of [3, 3, least, least, least * 2, most, 10, 40]) {
    if (!Number.isFinite(repetitions)) continue
    maker.max = repetitions
    const text = maker.gen()
    const length = [...text].length
    if (length >= least && length <= most && expression(pattern).test(text)) return text
  }
  throw new SimRefused(`pattern ${JSON.stringify(pattern)}: no text was found that matches it`)
}

function textOfFormat(format: string, random: Random): string {
  const two = (from: number, to: number): string => String(random.integer(from, to)).padStart(2, '0')
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.integer(0, 15).toString(16)).join('')
  const day = `20${two(20, 29)}-${two(1, 12)}-${two(1, 28)}`
  const time = `${two(0, 23)}:${two(0, 59)}:${two(0, 59)}Z`
  switch (format) {
    case 'date-time':
      return `${day}T${time}`
    case 'date':
      return day
    case 'time':
      return time
    case 'duration':
      return `PT${random.integer(1, 59)}M`
    case 'email':
    case 'idn-email':
      return `simulated${random.integer(1, 99)}@example.com`
    case 'hostname':
    case 'idn-hostname':
      return 'simulated.example.com'
    case 'ipv4':
      return `192.0.2.${random.integer(1, 254)}`
    case 'ipv6':
      return `2001:db8::${hex(4)}`
    case 'uri':
    case 'iri':
    case 'url':
      return `https://example.com/${hex(6)}`
    case 'uri-reference':
    case 'iri-reference':
      return `/simulated/${hex(6)}`
    case 'uuid':
      return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
    case 'json-pointer':
      return '/simulated'
    case 'regex':
      return '^simulated$'
    default:
      throw new SimRefused(`format ${JSON.stringify(format)}: simulated models do not know this format`)
  }
}
