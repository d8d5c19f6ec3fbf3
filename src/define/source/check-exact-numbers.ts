import type { Json } from '../../util/json.ts'
import { configError, type SourceProblem } from '../problems.ts'
import type { Path, Source } from './source.ts'

/** Refuses whole numbers that JavaScript can't represent exactly: they would silently become other numbers. */
export function checkExactNumbers(source: Source): void {
  const problems = [...inexact(source, source.value, [])]
  if (problems.length > 0) throw configError(source, problems)
}

function* inexact(source: Source, value: Json, path: Path): Generator<SourceProblem> {
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value))
      yield* inexact(source, item, [...path, Array.isArray(value) ? Number(key) : key])
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return
  const spelling = source.spellingOf(path)
  if (spelling !== null && /^[-+]?\d+$/.test(spelling))
    yield {
      path,
      message: `${spelling} has too many digits to be kept exactly`,
      hint: `write it as text: "${spelling}"`,
    }
}
