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
export function withoutIgnoredKeys(source: Source): { readonly source: Source; readonly notes: readonly string[] } {
  const ignored = lenient().flatMap(({ path, known }) => {
    const map = valueAt(source.value, path)
    return Object.keys(isJsonObject(map) ? map : {})
      .filter(key => !known.includes(key) && source.optionOf([...path, key]) === null)
      .map(key => ({ path: [...path, key], hint: didYouMean(key, known) }))
  })
  return {
    source: { ...source, value: ignored.reduce((value, { path }) => without(value, path), source.value) },
    notes: ignored.map(({ path, hint }) =>
      problemLine(source, {
        path,
        part: 'key',
        message: `unknown key "${path.at(-1)}": it has no effect`,
        ...(hint !== undefined && { hint }),
      }),
    ),
  }
}

function without(value: Json, [key, ...rest]: Path): Json {
  if (!isJsonObject(value) || key === undefined) return value
  const { [String(key)]: inner, ...others } = value
  return rest.length === 0 || inner === undefined ? others : { ...value, [String(key)]: without(inner, rest) }
}
