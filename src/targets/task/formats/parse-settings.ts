import type { core, output, ZodType } from 'zod'
import { expectation, explainIssues, problemLine } from '../../../define/problems.ts'
import { isJsonObject, type Json } from '../../../util/json.ts'
import type { Settings, TaskFolder } from './task-folder.ts'

/**
 * Settings as the schema makes them, or null and problems in the folder. Keys that nobody knows are notes there: other
 * tools add keys of their own, and newer versions new ones.
 */
export function parseSettings<S extends ZodType>(schema: S, settings: Settings, folder: TaskFolder): output<S> | null {
  const first = schema.safeParse(settings.value, { error: expectation })
  if (first.success) return first.data
  const unknown = first.error.issues.filter(issue => issue.code === 'unrecognized_keys')
  for (const problem of explainIssues(unknown, settings.value))
    folder.notes.push(problemLine(settings, { ...problem, message: `${problem.message} is ignored` }))
  const rest = unknown.reduce((value, issue) => without(value, issue.path, issue.keys), settings.value)
  const second = schema.safeParse(rest, { error: expectation })
  if (second.success) return second.data
  folder.problems.push(...linesOf(second.error.issues, settings))
  return null
}

/** As {@link parseSettings}, but a key that nobody knows is a problem: it was meant to change something. */
export function parseStrictly<S extends ZodType>(schema: S, settings: Settings, folder: TaskFolder): output<S> | null {
  const result = schema.safeParse(settings.value, { error: expectation })
  if (result.success) return result.data
  folder.problems.push(...linesOf(result.error.issues, settings))
  return null
}

const linesOf = (issues: readonly core.$ZodIssue[], settings: Settings): readonly string[] =>
  explainIssues(issues, settings.value).map(problem => problemLine(settings, problem))

function without(value: Json, path: readonly PropertyKey[], keys: readonly string[]): Json {
  const [step, ...rest] = path
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? without(item, rest, keys) : item))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value)
  if (step === undefined) return Object.fromEntries(entries.filter(([key]) => !keys.includes(key)))
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? without(item, rest, keys) : item]))
}
