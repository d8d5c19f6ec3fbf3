import type { core } from 'zod'

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys and values',
  record: 'a map of keys and values',
  null: 'null',
}

/**
 * What a schema expected, in plain words: passed to zod as its error map, so that a message a schema was given by
 * hand wins over these. {@link explainIssues} adds what came instead.
 */
export const expectation: core.$ZodErrorMap = issue => {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${typeName(issue.expected)}`
    case 'invalid_value':
      return `expected ${oneOf(issue.values.map(value => JSON.stringify(value)))}`
    case 'too_small':
      return `expected ${amount(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum)}`
    case 'too_big':
      return `expected ${amount(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum)}`
    case 'invalid_format':
      return `expected ${issue.pattern === undefined ? `a valid ${issue.format}` : `text that matches ${issue.pattern}`}`
    case 'not_multiple_of':
      return `expected a multiple of ${issue.divisor}`
    case 'invalid_union':
      return `expected ${oneOf(alternatives(issue))}`
    case 'unrecognized_keys':
      // zod copies the fields of an issue but drops the schema it came from, and the schema knows the right keys.
      Object.assign(issue, { known: keysOf(issue.inst) })
      return 'unknown key'
    default:
      return 'not valid here'
  }
}

export const oneOf = (options: readonly string[]): string =>
  options.length > 1 ? `${options.slice(0, -1).join(', ')} or ${options.at(-1)}` : (options[0] ?? 'another value')

const typeName = (type: string): string => typeNames[type] ?? type

function amount(origin: string, comparison: string, limit: number | bigint): string {
  if (origin === 'array' || origin === 'set') return `${comparison} ${limit} ${limit === 1 ? 'item' : 'items'}`
  if (origin === 'string') return `${comparison} ${limit} ${limit === 1 ? 'character' : 'characters'}`
  return `a number ${comparison === 'at least' || comparison === 'at most' ? `of ${comparison}` : comparison} ${limit}`
}

function alternatives(issue: core.$ZodRawIssue<core.$ZodIssueInvalidUnion>): string[] {
  const types = issue.errors.flatMap(([first]) => (first?.code === 'invalid_type' ? [typeName(first.expected)] : []))
  return [...new Set(types)]
}

function keysOf(schema: unknown): readonly string[] {
  const shape = (schema as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def?.shape
  return Object.keys(shape ?? {})
}
