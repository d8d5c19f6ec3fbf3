import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import { linearRegExp } from '../../../util/linear-regexp.ts'
import { textOf } from '../template.ts'
import type { Assertion, AssertType } from './assert-schema.ts'

/** What can be told by looking at an answer: whether it holds, and why not. */
export interface Finding {
  readonly holds: boolean
  readonly reason: string
}

export type TextAssertType = Exclude<AssertType, 'function' | 'javascript' | 'llm-rubric' | 'cost' | 'latency'>

/** Pure. `value` is filled in already; `data` is the answer as JSON, undefined where it is none. */
export function lookAt(
  type: TextAssertType,
  answer: { readonly text: string; readonly data: Json | undefined },
  { value = null, path = '', tolerance = 0 }: Pick<Assertion, 'value' | 'path' | 'tolerance'>,
): Finding {
  const { text, data } = answer
  const lower = text.toLowerCase()
  switch (type) {
    case 'equals':
      return equals(answer, value)
    case 'contains':
      return finding(text.includes(textOf(value)), `contains ${brief(value)}`)
    case 'icontains':
      return finding(lower.includes(textOf(value).toLowerCase()), `contains ${brief(value)}`)
    case 'contains-all':
    case 'icontains-all': {
      const missing = partsOf(value).filter(part => !has(text, part, type))
      return {
        holds: missing.length === 0,
        reason: missing.length === 0 ? 'contains all' : `lacks ${missing.map(brief).join(', ')}`,
      }
    }
    case 'contains-any':
    case 'icontains-any':
      return finding(
        partsOf(value).some(part => has(text, part, type)),
        `contains any of ${partsOf(value).map(brief).join(', ')}`,
      )
    case 'starts-with':
      return finding(text.trimStart().startsWith(textOf(value)), `starts with ${brief(value)}`)
    case 'regex':
      return finding(linearRegExp(textOf(value)).test(text), `matches ${textOf(value)}`)
    case 'is-json':
      return finding(data !== undefined, 'is JSON')
    case 'json-path':
      return atPath(data, path, value)
    case 'number':
      return nearNumber(text, Number(value), tolerance)
  }
}

const finding = (holds: boolean, what: string): Finding => ({ holds, reason: holds ? what : `not: ${what}` })

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}

/** Space around an answer is no difference; data is compared as data. */
function equals({ text, data }: { readonly text: string; readonly data: Json | undefined }, value: Json): Finding {
  const isData = typeof value === 'object' && value !== null
  const holds = isData
    ? data !== undefined && canonicalJson(data) === canonicalJson(value)
    : text.trim() === textOf(value).trim()
  return holds
    ? { holds, reason: 'is as expected' }
    : { holds, reason: `expected ${brief(value)}, got ${brief(text.trim())}` }
}

/** `a, b` is short for a list. */
const partsOf = (value: Json): readonly string[] =>
  Array.isArray(value)
    ? value.map(textOf)
    : textOf(value)
        .split(',')
        .map(part => part.trim())

const has = (text: string, part: string, type: TextAssertType): boolean =>
  type.startsWith('icontains') ? text.toLowerCase().includes(part.toLowerCase()) : text.includes(part)

function atPath(data: Json | undefined, path: string, value: Json): Finding {
  if (data === undefined) return { holds: false, reason: 'the answer is not JSON' }
  const found = valueAtPath(data, path)
  if (found === undefined) return { holds: false, reason: `there is nothing at ${path}` }
  if (value === null) return { holds: true, reason: `${path} is ${brief(found)}` }
  const isSame = typeof value === 'string' ? textOf(found) === value : canonicalJson(found) === canonicalJson(value)
  return {
    holds: isSame,
    reason: isSame ? `${path} is ${brief(found)}` : `${path} is ${brief(found)}, expected ${brief(value)}`,
  }
}

/** `$.items[0].name` and `items.0.name` are the same; a negative index counts from the end. */
export function valueAtPath(data: Json, path: string): Json | undefined {
  const steps = path
    .replace(/^\$\.?/, '')
    .replaceAll(/\[(-?\d+)\]|\['([^']*)'\]/g, '.$1$2')
    .split('.')
    .filter(step => step !== '')
  let value: Json | undefined = data
  for (const step of steps) {
    if (Array.isArray(value)) value = /^-?\d+$/.test(step) ? value.at(Number(step)) : undefined
    else if (isJsonObject(value) && Object.hasOwn(value, step)) value = value[step]
    else return undefined
  }
  return value
}

/** The last number of the answer: people reason first and conclude then, and so do models. */
function nearNumber(text: string, expected: number, tolerance: number): Finding {
  const found = text
    .replaceAll(/(\d)[,\u00A0](?=\d{3}\b)/g, '$1')
    .match(/-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi)
    ?.at(-1)
  if (found === undefined) return { holds: false, reason: 'there is no number in it' }
  const holds = Math.abs(Number(found) - expected) <= tolerance
  return {
    holds,
    reason: holds ? `is ${found}` : `expected ${expected}${tolerance > 0 ? ` ± ${tolerance}` : ''}, got ${found}`,
  }
}
