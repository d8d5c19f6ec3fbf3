/** Plain data: what configuration files, the journal and jobs are made of. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** JSON with sorted keys and no spaces: equal data gives equal text, in whatever order its keys were written. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) {
    // A million seeds as a million strings would take 100 MB.
    return value.some(isNested) ? `[${value.map(canonicalJson).join(',')}]` : JSON.stringify(value)
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value as { readonly [key: string]: Json })
  const sorted = entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return `{${sorted.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}

const isNested = (value: Json): boolean => typeof value === 'object' && value !== null

/**
 * Whether these are numbers, each larger than the one before. Then there are no duplicates, which a million seeds need
 * no set to tell.
 */
export const isAscending = (values: readonly Json[]): values is readonly number[] =>
  values.every((value, at) => typeof value === 'number' && (at === 0 || value > Number(values[at - 1])))
