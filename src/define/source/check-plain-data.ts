import type { Json } from '../../util/json.ts'
import { configError, type SourceProblem } from '../problems.ts'
import type { Path, Source } from './source.ts'

/**
 * Refuses what the languages can write but no experiment can use: numbers that aren't finite, and JavaScript's magic
 * key.
 */
export function checkPlainData(source: Source): void {
  const problems = [...problemsIn(source.value, [], [])]
  if (problems.length > 0) throw configError(source, problems)
}

/** Nobody writes deeper nesting by hand, and later code must not exhaust the stack. */
const deepest = 100

function* problemsIn(value: Json, path: Path, around: readonly Json[]): Generator<SourceProblem> {
  if (typeof value === 'number' && !Number.isFinite(value))
    yield { path, message: `expected a finite number, got ${value}` }
  if (typeof value !== 'object' || value === null) return
  if (around.includes(value)) {
    yield { path, message: 'this alias contains itself' }
    return
  }
  if (path.length > deepest) {
    yield { path: path.slice(0, 1), message: `nested more than ${deepest} levels deep` }
    return
  }
  for (const [key, item] of Object.entries(value)) {
    const here = [...path, Array.isArray(value) ? Number(key) : key]
    if (key === '__proto__') yield { path: here, part: 'key', message: 'this name is reserved; choose another' }
    else yield* problemsIn(item, here, [...around, value])
  }
}
