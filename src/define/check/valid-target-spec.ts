import type { JsonObject } from '../../util/json.ts'
import type { TargetSpec } from '../experiment.ts'
import { configError, expectation, explainIssues } from '../problems.ts'
import { targetSchema } from '../schema/target-schema.ts'
import { sourceFromCode } from '../source/source.ts'
import type { Target } from '../target.ts'

/** A spec that a dialect made up, as its target's own schema reads it. */
export function validTargetSpec(targets: readonly Target[], spec: JsonObject & { readonly kind: string }): TargetSpec {
  const result = targetSchema(targets).safeParse(spec, { error: expectation })
  if (result.success) return result.data
  const problems = explainIssues(result.error.issues, spec)
  throw configError(
    sourceFromCode(spec),
    problems.map(problem => ({ ...problem, path: ['target', ...problem.path] })),
  )
}
