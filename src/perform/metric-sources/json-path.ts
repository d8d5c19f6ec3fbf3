import { isJsonObject } from '../../util/json.ts'

/** The value at `a.b[0].c`; undefined if there is none. A key that itself contains dots takes precedence. */
export function atPath(value: unknown, path: string): unknown {
  if (isJsonObject(value) && Object.hasOwn(value, path)) return value[path]
  let current: unknown = value
  for (const [step] of path.matchAll(/[^.[\]]+/g)) {
    if (Array.isArray(current)) current = current[Number(step)]
    else if (isJsonObject(current) && Object.hasOwn(current, step)) current = current[step]
    else return undefined
  }
  return current
}

/** The longest part of a path that there is something at, and what: of `test.acuracy`, `test`; '' is the whole. */
export function nearestTo(value: unknown, path: string): { readonly path: string; readonly value: unknown } {
  const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index).reverse()
  for (const end of ends) {
    const beginning = path.slice(0, end)
    const found = beginning === '' ? undefined : atPath(value, beginning)
    if (found !== undefined) return { path: beginning, value: found }
  }
  return { path: '', value }
}

/** Every number in nested objects, by its path. Lists are left out: a thousand samples are not a thousand metrics. */
export function numbersIn(value: unknown, prefix = ''): readonly (readonly [path: string, value: unknown])[] {
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    isJsonObject(inner) ? numbersIn(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner] as const],
  )
}
