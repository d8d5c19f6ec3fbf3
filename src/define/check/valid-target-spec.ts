import type { Json, JsonObject } from '../../util/json.ts'
import type { TargetSpec } from '../experiment.ts'
import { configError, expectation, explainIssues } from '../problems.ts'
import { targetSchema } from '../schema/target-schema.ts'
import { type Path, type Source, sourceFromCode } from '../source/source.ts'
import type { Target } from '../target.ts'

/** A spec made by a dialect, parsed by its target's own schema. */
export function validTargetSpec(
  targets: readonly Target[],
  spec: JsonObject & { readonly kind: string },
  /** Where its parts were written, so that problems can point there. */
  written?: { readonly source: Source; pathOf(path: Path, value: Json): Path },
): TargetSpec {
  const result = targetSchema(targets).safeParse(spec, { error: expectation })
  if (result.success) return result.data
  const problems = explainIssues(result.error.issues, spec).map(problem => ({
    ...problem,
    path: ['target', ...problem.path],
  }))
  if (written === undefined) throw configError(sourceFromCode(spec), problems)
  const { source, pathOf } = written
  throw configError(
    source,
    problems.map(problem => ({ ...problem, path: pathOf(problem.path, source.value) })),
  )
}
