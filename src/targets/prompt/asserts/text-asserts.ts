import { canonicalJson, isJsonObject, type Json } from '../../../util/json.ts'
import { schemaCheck } from '../../../util/json-schema.ts'
import { linearRegExp } from '../../../util/linear-regexp.ts'
import { textOf } from '../templates/template.ts'
import type { OneAssert } from './assert-schema.ts'
import type { AssertType } from './assert-types.ts'
import { jsonInText } from './json-in-text.ts'

/** The result of checking a text: whether it passes, and why not. */
export interface Finding {
  readonly holds: boolean
  readonly reason: string
}

export type TextAssertType = Exclude<
  AssertType,
  | 'function'
  | 'javascript'
  | 'llm-rubric'
  | 'cost'
  | 'latency'
  | 'calls-tool'
  | 'is-valid-openai-tools-call'
  | 'is-valid-openai-function-call'
  | 'tool-call-f1'
  | 'finish-reason'
>

/** Pure. `value` is already filled in; `data` is the answer as JSON, undefined if it is not JSON. */
export function checkText(
  type: TextAssertType,
  answer: { readonly text: string; readonly data: Json | undefined },
  { value = null, path = '', tolerance = 0, threshold }: Pick<OneAssert, 'value' | 'path' | 'tolerance' | 'threshold'>,
): Finding {
  const { text, data } = answer
  const lower = text.toLowerCase()
  switch (type) {
    case 'equals':
      return equals(answer, value)
    case 'contains':
      return containing(text.includes(textOf(value)), value)
    case 'icontains':
      return containing(lower.includes(textOf(value).toLowerCase()), value)
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
        `contains none of ${partsOf(value).map(brief).join(', ')}`,
      )
    case 'starts-with':
      return finding(
        text.trimStart().startsWith(textOf(value)),
        `starts with ${brief(value)}`,
        `does not start with ${brief(value)}`,
      )
    case 'regex':
      return finding(
        linearRegExp(textOf(value)).test(text),
        `matches ${textOf(value)}`,
        `does not match ${textOf(value)}`,
      )
    case 'levenshtein':
      return nearText(text, textOf(value), threshold ?? defaultEdits)
    case 'is-json':
      return data === undefined ? { holds: false, reason: 'is not JSON' } : bySchema([data], value)
    case 'contains-json':
      return bySchema(jsonInText(text), value)
    case 'json-path':
      return atPath(data, path, value)
    case 'number':
      return nearNumber(text, Number(value), tolerance)
  }
}

/** Whether one of them satisfies the schema; without a schema, whether there is one. */
function bySchema(found: readonly Json[], schema: Json): Finding {
  const [first] = found
  if (first === undefined) return { holds: false, reason: 'contains no JSON' }
  if (!isJsonObject(schema)) return { holds: true, reason: 'is JSON' }
  const check = schemaCheck(schema)
  const problems = found.map(check)
  const problem = problems.find(one => one !== null)
  return problems.includes(null)
    ? { holds: true, reason: 'is JSON as the schema asks' }
    : { holds: false, reason: `is not as the schema asks: ${problem ?? ''}` }
}

/** As promptfoo has it. */
const defaultEdits = 5

function nearText(text: string, expected: string, most: number): Finding {
  const edits = editsBetween(text, expected, most)
  const said = edits > most ? `more than ${most}` : String(edits)
  return { holds: edits <= most, reason: `differs by ${said} ${edits === 1 ? 'edit' : 'edits'}, allowed are ${most}` }
}

/**
 * Levenshtein's distance: how many characters have to be added, removed or replaced. Only paths with at most `most`
 * edits are followed, so that long texts take no longer than necessary; otherwise the result is `most + 1`.
 */
function editsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let row = new Map(Array.from({ length: Math.min(other.length, most) + 1 }, (_, at) => [at, at]))
  for (let i = 1; i <= one.length; i++) {
    const next = new Map<number, number>()
    for (let j = Math.max(0, i - most); j <= Math.min(other.length, i + most); j++) {
      const replaced = j === 0 ? most + 1 : (row.get(j - 1) ?? most + 1) + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.set(j, Math.min(replaced, (row.get(j) ?? most) + 1, (next.get(j - 1) ?? most) + 1))
    }
    row = next
  }
  return Math.min(row.get(other.length) ?? most + 1, most + 1)
}

const finding = (holds: boolean, is: string, isNot: string): Finding => ({ holds, reason: holds ? is : isNot })

const containing = (holds: boolean, value: Json): Finding =>
  finding(holds, `contains ${brief(value)}`, `does not contain ${brief(value)}`)

const brief = (value: Json): string => {
  const text = JSON.stringify(value)
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`
}

/** Surrounding space makes no difference; data is compared as data. */
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

/** The last number of the answer: people reason first and then conclude, and so do models. */
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
