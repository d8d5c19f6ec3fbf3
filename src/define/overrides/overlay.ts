import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import type { Path, Source } from '../source/source.ts'
import type { Edit } from './edit.ts'

/** The source with the edits applied; each part of it still knows where it came from. */
export function overlay(source: Source, edits: readonly Edit[]): Source {
  const editOf = (path: Path) => edits.findLast(edit => edit.path.every((step, index) => path[index] === step))
  return {
    ...source,
    value: edits.reduce(apply, source.value),
    spellingOf(path) {
      const edit = editOf(path)
      return edit === undefined ? source.spellingOf(path) : edit.source.spellingOf(path.slice(edit.path.length))
    },
    isUnquoted: path => editOf(path) === undefined && (source.isUnquoted?.(path) ?? false),
    optionOf: path => editOf(path)?.option ?? source.optionOf(path),
  }
}

function apply(value: Json, { option, path, source, removes }: Edit): Json {
  const kept = removes === undefined ? value : changed(value, removes, undefined, option)
  return changed(kept, path, source.value, option)
}

/** A copy in which only the values on the path are new. */
function changed(value: Json | undefined, path: Path, replacement: Json | undefined, option: string): Json {
  const [step, ...rest] = path
  if (step === undefined) return replacement ?? null
  if (Array.isArray(value) && typeof step === 'number' && step in value)
    return value.map((item, index) => (index === step ? changed(item, rest, replacement, option) : item))
  if (value !== undefined && value !== null && !isJsonObject(value))
    throw new AssayError('config', `${option}: there is no such place in ${JSON.stringify(value)}`)
  const { [String(step)]: inner, ...others } = value ?? {}
  if (rest.length === 0 && replacement === undefined) return others
  const item = changed(inner, rest, replacement, option)
  // A replaced entry keeps its place: the order of factors is the order of runs.
  return { ...(value ?? {}), [String(step)]: item }
}
