import type { core } from 'zod'
import type { Json } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import { type Path, valueAt } from '../source/source.ts'
import type { SourceProblem } from './config-error.ts'
import { oneOf } from './expectation.ts'

/** What zod found, as problems a person can act on: what was expected, what came, and what was probably meant. */
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
      return [{ path, part: 'key', message: withWhatCame(reason, path.at(-1) ?? '') }]
    }
    case 'invalid_value':
      return [{ path, message: withWhatCame(issue.message, came), ...meant(came, issue.values) }]
    case 'invalid_union':
      return explainUnion(issue, path, value)
    default:
      return [{ path, message: withWhatCame(issue.message, came) }]
  }
}

/** Where only one alternative has the right shape, that one was meant, and its own problems are the useful ones. */
function explainUnion(issue: core.$ZodIssueInvalidUnion, path: Path, value: Json): readonly SourceProblem[] {
  const came = valueAt(value, path)
  if (issue.errors.length === 0) {
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : []
    return [{ path, message: withWhatCame(`expected ${oneOf(options)}`, came), ...meant(came, options) }]
  }
  const sameShape = issue.errors.filter(branch => !branch.some(isWrongShape))
  const [meantBranch] = sameShape
  if (meantBranch === undefined || sameShape.length > 1) return [{ path, message: withWhatCame(issue.message, came) }]
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

function withWhatCame(message: string, came: Json | undefined): string {
  if (!message.startsWith('expected ')) return message
  return came === undefined ? `missing, ${message}` : `${message}, got ${shown(came)}`
}

function shown(value: Json): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 57)}…` : text
}

const pathOf = (issue: core.$ZodIssue): Path => issue.path.map(step => (typeof step === 'number' ? step : String(step)))
