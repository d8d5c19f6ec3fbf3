import type { core, output, ZodType } from 'zod'
import { isJsonObject, type Json } from '../../util/json.ts'
import { expectation, explainIssues, problemLine } from '../problems.ts'
import { type Source, sourceFromCode } from './source.ts'

export interface Examined<T> {
  /** null: there are problems. */
  readonly value: T | null
  /** A line for each, with its place. */
  readonly problems: readonly string[]
  /** Keys that nobody knows, likewise: other tools ignore them, and newer versions have new ones. */
  readonly unknown: readonly string[]
}

/** What a schema makes of a file that is somebody else's: nothing is thrown, so that many files can be looked at. */
export function examineSource<S extends ZodType>(schema: S, source: Source): Examined<output<S>> {
  const first = schema.safeParse(source.value, { error: expectation })
  if (first.success) return { value: first.data, problems: [], unknown: [] }
  const strange = first.error.issues.filter(issue => issue.code === 'unrecognized_keys')
  const unknown = linesOf(strange, source)
  const rest = strange.reduce((value, issue) => without(value, issue.path, issue.keys), source.value)
  const second = schema.safeParse(rest, { error: expectation })
  if (second.success) return { value: second.data, problems: [], unknown }
  return { value: null, problems: linesOf(second.error.issues, source), unknown }
}

/** The same for a value that stands in one line of a file: `where` is its place. */
export const examineValue = <S extends ZodType>(schema: S, value: Json, where: string): Examined<output<S>> =>
  examineSource(schema, { ...sourceFromCode(value), file: where })

const linesOf = (issues: readonly core.$ZodIssue[], source: Source): readonly string[] =>
  explainIssues(issues, source.value).map(problem => problemLine(source, problem))

function without(value: Json, path: readonly PropertyKey[], keys: readonly string[]): Json {
  const [step, ...rest] = path
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? without(item, rest, keys) : item))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  if (step === undefined) return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)))
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? without(item, rest, keys) : item]))
}
