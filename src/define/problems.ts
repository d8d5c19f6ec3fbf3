import type { core, output, ZodType } from 'zod'
import { AssayError } from '../util/errors.ts'
import type { Json } from '../util/json.ts'
import { didYouMean } from '../util/suggest.ts'
import { listed } from '../util/words.ts'
import { type Path, type Position, type Source, valueAt } from './source/source.ts'
import type { Problem } from './target.ts'

/** A problem and its place, as in `facts.problems` of the error. */
interface LocatedProblem {
  readonly file: string | null
  readonly line: number | null
  readonly column: number | null
  readonly path: string
  readonly message: string
  readonly hint: string | null
  /** The command-line option that set the value. */
  readonly option: string | null
}

/** A problem of the schema may be about a key rather than its value. */
export type SourceProblem = Problem & { readonly part?: 'key' | 'value' }

/** One error for all the problems of a configuration, one line each, in the order of the file. */
export function configError(source: Source, problems: readonly SourceProblem[]): AssayError {
  return located(problems.map(problem => locate(source, problem)).sort(byPosition))
}

/** A problem as a line of such an error. */
export const problemLine = (source: Source, problem: SourceProblem): string => lineOf(locate(source, problem))

/** A problem known by its position: malformed text. */
export function syntaxError(file: string, message: string, position: Position | null): AssayError {
  const { line = null, column = null } = position ?? {}
  return located([{ file, line, column, path: '', message, hint: null, option: null }])
}

function located(problems: readonly LocatedProblem[]): AssayError {
  return new AssayError('config', problems.map(lineOf).join('\n'), { facts: { problems } })
}

function locate(source: Source, { path, message, hint, part }: SourceProblem): LocatedProblem {
  const option = source.optionOf(path)
  const position = option === null ? source.positionOf(path, part) : null
  return {
    file: option === null ? source.file : null,
    line: position?.line ?? null,
    column: position?.column ?? null,
    path: pathText(path),
    message,
    hint: hint ?? null,
    option,
  }
}

function lineOf({ file, line, column, path, message, hint, option }: LocatedProblem): string {
  const place = option ?? (line === null ? file : `${file}:${line}:${column}`)
  const explained = hint === null ? message : `${message}${separator(message, hint)}${hint}`
  if (option !== null) return `${option}: ${explained}`
  const subject = path === '' ? explained : `${path}: ${explained}`
  return place === null ? subject : `${place}  ${subject}`
}

/** A message of several lines ends with a caret or a list, and a hint may be a sentence of its own. */
function separator(message: string, hint: string): string {
  if (message.includes('\n')) return '\n  '
  return /^\p{Lu}/u.test(hint) ? '. ' : '; '
}

const pathText = (path: Path): string => path.join('.')

const byPosition = (a: LocatedProblem, b: LocatedProblem): number =>
  (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)

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
 * What a schema expected, in plain words: passed to zod as its error map, so that a schema's own messages take
 * precedence. {@link explainIssues} adds what was found instead.
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
      // zod copies the fields of an issue but drops the schema it came from, which knows the valid keys.
      Object.assign(issue, { known: keysOf(issue.inst) })
      return 'unknown key'
    default:
      return 'not valid here'
  }
}

const oneOf = (options: readonly string[]): string => listed(options, Number.POSITIVE_INFINITY, 'or') || 'another value'

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

/** zod's issues as problems a person can act on: what was expected, what was found, and what was probably meant. */
export function explainIssues(issues: readonly core.$ZodIssue[], value: Json): readonly SourceProblem[] {
  return issues.flatMap(issue => explain(issue, pathOf(issue), value))
}

function explain(issue: core.$ZodIssue, path: Path, value: Json): readonly SourceProblem[] {
  const came = valueAt(value, path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map(key => unknownKey([...path, key], key, issue))
    case 'invalid_key': {
      const reason = issue.issues[0]?.message ?? issue.message
      return [{ path, part: 'key', message: withFound(reason, path.at(-1) ?? '') }]
    }
    case 'invalid_value':
      return [{ path, message: withFound(issue.message, came), ...meant(came, issue.values) }]
    case 'invalid_union':
      return explainUnion(issue, path, value)
    default:
      return [{ path, message: withFound(issue.message, came) }]
  }
}

/** If only one alternative has the right shape, that one was meant, and its own problems are the useful ones. */
function explainUnion(issue: core.$ZodIssueInvalidUnion, path: Path, value: Json): readonly SourceProblem[] {
  const came = valueAt(value, path)
  if (issue.errors.length === 0) {
    // A schema that knows more about this value has already explained it.
    if (!issue.message.startsWith('expected ')) return [{ path, message: issue.message }]
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
    return [{ path, message: withFound(`expected ${oneOf(options)}`, came), ...meant(came, options) }]
  }
  const sameShape = issue.errors.filter(branch => !branch.some(isWrongShape))
  const [meantBranch] = sameShape
  if (meantBranch === undefined || sameShape.length > 1) return [{ path, message: withFound(issue.message, came) }]
  return meantBranch.flatMap(inner => explain(inner, [...path, ...pathOf(inner)], value))
}

const isWrongShape = (issue: core.$ZodIssue): boolean =>
  issue.path.length === 0 && (issue.code === 'invalid_type' || issue.code === 'invalid_value')

function unknownKey(path: Path, key: string, issue: core.$ZodIssue): SourceProblem {
  const known = 'known' in issue && Array.isArray(issue.known) ? issue.known.map(String) : []
  const hint = didYouMean(key, known) ?? (known.length > 0 ? `known here: ${known.join(', ')}` : undefined)
  return { path, part: 'key', message: `unknown key "${key}"`, ...(hint === undefined ? {} : { hint }) }
}

function meant(came: Json | undefined, options: readonly unknown[]): { hint?: string } {
  const hint = typeof came === 'string' ? didYouMean(came, options.map(String)) : undefined
  return hint === undefined ? {} : { hint }
}

function withFound(message: string, came: Json | undefined): string {
  if (!message.startsWith('expected ')) return message
  return came === undefined ? `missing, ${message}` : `${message}, got ${shown(came)}`
}

function shown(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const pathOf = (issue: core.$ZodIssue): Path => issue.path.map(step => (typeof step === 'number' ? step : String(step)))

/** The parsed configuration, or one error with all of its problems and those in `besides`. */
export function parseSource<S extends ZodType>(
  schema: S,
  source: Source,
  besides: readonly SourceProblem[] = [],
): output<S> {
  const result = schema.safeParse(source.value, { error: expectation })
  if (result.success && besides.length === 0) return result.data
  throw configError(source, [...explainIssues(result.error?.issues ?? [], source.value), ...besides])
}
