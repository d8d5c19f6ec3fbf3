import type { output, ZodType } from 'zod'
import type { Source } from '../source/source.ts'
import { configError, type SourceProblem } from './config-error.ts'
import { expectation } from './expectation.ts'
import { explainIssues } from './explain-issue.ts'

/** The configuration as the schema makes it, or one error with all of its problems and those found `besides`. */
export function parseSource<S extends ZodType>(
  schema: S,
  source: Source,
  besides: readonly SourceProblem[] = [],
): output<S> {
  const result = schema.safeParse(source.value, { error: expectation })
  if (result.success && besides.length === 0) return result.data
  throw configError(source, [...explainIssues(result.error?.issues ?? [], source.value), ...besides])
}
