import { canonicalJson, type Json, type JsonObject } from '../../util/json.ts'
import type { PythonValues } from '../experiment.ts'
import { type Path, type Source, valueAt } from '../source/source.ts'
import { pythonJson } from '../spelling/spelling.ts'

/**
 * How a Python program gets values that are written out: `1.0` is a float for it. Undefined if JSON is the same. Only
 * the macros of a command (`${args}`) use it; `{lr}` is as in JSON.
 */
export function nativeSpelling(
  params: JsonObject,
  factors: { readonly [name: string]: { readonly levels: readonly Json[] } },
  source: Source,
  pathOf: (path: Path) => Path,
): PythonValues | undefined {
  const written = [
    ...Object.entries(params).map(([name, value]) => ({ name, value, path: ['params', name] })),
    // Ranges are whole numbers, and may be a million.
    ...Object.entries(factors).flatMap(([name, { levels }]) => {
      const path = pathOf(['factors', name])
      return Array.isArray(valueAt(source.value, path))
        ? levels.map((value, at) => ({ name, value, path: [...path, at] }))
        : []
    }),
  ]
  const spelling: { [name: string]: { [value: string]: string } } = {}
  for (const { name, value, path } of written) {
    if (typeof value !== 'number' && typeof value !== 'object') continue
    const spelt = pythonJson(value, inner => source.spellingOf([...path, ...inner]))
    if (spelt !== pythonJson(value)) spelling[name] = { ...spelling[name], [canonicalJson(value)]: spelt }
  }
  return Object.keys(spelling).length === 0 ? undefined : { spelling, floats: [], nested: {} }
}
