import { isJsonObject, type Json } from '../../../util/json.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { problemLine } from '../../problems.ts'
import { type Path, type Source, valueAt } from '../../source/source.ts'
import { earlyTerminateKeys, metricKeys, sweepSchema } from './sweep-schema.ts'

/** Maps in which W&B warns about an unknown key and continues. In parameters it does not continue. */
const lenient = (): readonly { readonly path: Path; readonly known: readonly string[] }[] => [
  { path: [], known: Object.keys(sweepSchema.unwrap().shape) },
  { path: ['metric'], known: metricKeys() },
  { path: ['early_terminate'], known: earlyTerminateKeys() },
]

/**
 * The file without keys that have no effect in W&B either, and a note on each. Keys set by an option must have an
 * effect.
 */
export function withoutIgnored(given: Source): { readonly source: Source; readonly notes: readonly string[] } {
  const { source, notes } = withoutNamelessStop(given)
  const ignored = lenient().flatMap(({ path, known }) => {
    const map = valueAt(source.value, path)
    return Object.keys(isJsonObject(map) ? map : {})
      .filter(key => !known.includes(key) && source.optionOf([...path, key]) === null)
      .map(key => ({ path: [...path, key], hint: didYouMean(key, known) }))
  })
  const unknown = ignored.map(({ path, hint }) =>
    problemLine(source, {
      path,
      part: 'key',
      message: `unknown key "${path.at(-1)}": it has no effect`,
      ...(hint !== undefined && { hint }),
    }),
  )
  const value = ignored.reduce((value, { path }) => without(value, path), source.value)
  return { source: { ...source, value }, notes: [...notes, ...unknown] }
}

/** W&B looks for the `type` of an `early_terminate`; where it finds no map, it ends no run. */
function withoutNamelessStop(source: Source): { readonly source: Source; readonly notes: readonly string[] } {
  const path = ['early_terminate']
  const written = valueAt(source.value, path)
  if (written === undefined || isJsonObject(written) || source.optionOf(path) !== null) return { source, notes: [] }
  const note = problemLine(source, {
    path,
    message: `it has no effect, as in W&B: expected a map, got ${JSON.stringify(written)}`,
    hint: 'to end bad runs early, write { type: hyperband, min_iter: 3 }',
  })
  return { source: { ...source, value: without(source.value, path) }, notes: [note] }
}

function without(value: Json, [key, ...rest]: Path): Json {
  if (!isJsonObject(value) || key === undefined) return value
  const { [String(key)]: inner, ...others } = value
  return rest.length === 0 || inner === undefined ? others : { ...value, [String(key)]: without(inner, rest) }
}
