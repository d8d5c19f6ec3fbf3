import { canonicalJson } from '../../util/canonical-json.ts'
import { isJsonObject, type Json } from '../../util/json.ts'

/** One place where two documents differ. */
export interface Change {
  readonly path: string
  /** null: it is not there. */
  readonly before: Json | null
  readonly after: Json | null
}

/** Where two plain documents differ, as deep as they have the same shape. */
export function changesBetween(before: Json, after: Json, path = ''): readonly Change[] {
  if (canonicalJson(before) === canonicalJson(after)) return []
  if (isJsonObject(before) && isJsonObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap(name =>
      changesBetween(before[name] ?? null, after[name] ?? null, path === '' ? name : `${path}.${name}`),
    )
  }
  if (isNamedList(before) && isNamedList(after)) return changesBetween(byName(before), byName(after), path)
  return [{ path, before, after }]
}

type NamedList = readonly { readonly name: string; readonly [key: string]: Json }[]

/** Lists of things with names (factors, blocks, metrics, ablations) are compared name by name, not place by place. */
function isNamedList(value: Json): value is NamedList & Json {
  return (
    Array.isArray(value) && value.length > 0 && value.every(item => isJsonObject(item) && typeof item.name === 'string')
  )
}

const byName = (list: NamedList): Json => Object.fromEntries(list.map(({ name, ...rest }) => [name, rest]))
