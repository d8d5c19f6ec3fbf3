import type { output, ZodType } from 'zod'
import type { Source } from '../source/source.ts'
import { configError } from './config-error.ts'
import { expectation } from './expectation.ts'
import { explainIssues } from './explain-issue.ts'

/** The configuration as the schema makes it, or one error with all of its problems. */
export function parseSource<S extends ZodType>(schema: S, source: Source): output<S> {
  const result = schema.safeParse(source.value, { error: expectation })
  if (result.success) return result.data
  throw configError(source, explainIssues(result.error.issues, source.value))
}
