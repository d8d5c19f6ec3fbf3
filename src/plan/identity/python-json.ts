import type { Json } from '../../util/json.ts'

/** What Python's `json.dumps(value, sort_keys=True, separators=(",", ":"))` prints. */
export function pythonJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(',')}]`
  if (typeof value === 'number') return pythonNumber(value)
  if (typeof value === 'string') return pythonString(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return pythonObject(Object.entries(value).map(([key, item]) => [key, pythonJson(item)] as const))
}

/** An object whose values are already spelt. */
export function pythonObject(entries: readonly (readonly [key: string, json: string])[]): string {
  const sorted = entries.toSorted(([a], [b]) => byCodePoint(a, b))
  return `{${sorted.map(([key, json]) => `${pythonString(key)}:${json}`).join(',')}}`
}

/** Python escapes everything but printable ASCII. */
const pythonString = (text: string): string =>
  JSON.stringify(text).replaceAll(/[^ -~]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Python prefers exponents below 1e-4 and, for floats, from 1e16 on; JavaScript below 1e-6 and from 1e21 on. */
function pythonNumber(number: number): string {
  if (Number.isInteger(number)) return BigInt(number).toString()
  const [digits = '', exponent = '0'] = number.toExponential().split('e')
  if (Number(exponent) >= -4) return String(number)
  return `${digits}e-${exponent.slice(1).padStart(2, '0')}`
}

/** JavaScript compares UTF-16 units, which puts emoji before some letters; Python compares code points. */
function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at < 0) return left.length - right.length
  return (left[at]?.codePointAt(0) ?? 0) - (right[at]?.codePointAt(0) ?? -1)
}
