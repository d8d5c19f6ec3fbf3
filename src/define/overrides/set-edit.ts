import { AssayError } from '../../util/errors.ts'
import { isJsonObject, type Json } from '../../util/json.ts'
import { didYouMean } from '../../util/suggest.ts'
import type { Dialect, Settable, SettableMap } from '../dialects/dialect.ts'
import { parseRanges } from '../levels.ts'
import { type Path, valueAt } from '../source/source.ts'
import type { Edit } from './edit.ts'
import { readList, readValue } from './scalar.ts'

/** The change made by `--set path=value`. */
export function setEdit(text: string, value: Json, { settable }: Dialect): Edit {
  const option = `--set ${text}`
  const equals = text.indexOf('=')
  if (equals < 1) throw new AssayError('usage', `${option}: expected key=value, such as limits.jobs=4`)
  const { path, map } = placeOf(text.slice(0, equals), value, settable(), option)
  const written = text.slice(equals + 1)
  const existing = valueAt(value, path)
  const isLevels = map?.holdsLevels ?? false
  if (!isLevels && !Array.isArray(existing)) {
    if (map !== undefined && isBareList(written)) throw neverVaries(String(path.at(-1)), map, option)
    return { option, path, source: readValue(written, option) }
  }
  // A factor of a search may have limits instead of levels: the given value replaces it completely.
  if (isLevels && /^\s*\{/.test(written)) return { option, path, source: readValue(written, option) }
  const source = levelsOf(written, option)
  if (map?.levelsKey !== undefined) return { option, path, source: under(map.levelsKey, source) }
  if (!isJsonObject(existing)) return { option, path, source }
  if (existing.values === undefined && existing.range === undefined) {
    const value = existing.when === undefined ? source.value : { values: source.value, when: existing.when }
    return { option, path, source: { value, spellingOf: () => null } }
  }
  return { option, path: [...path, 'values'], source, removes: [...path, 'range'] }
}

const under = (key: string, { value, spellingOf }: Edit['source']): Edit['source'] => ({
  value: { [key]: value },
  spellingOf: ([first, ...rest]) => (first === key ? spellingOf(rest) : null),
})

/** `a,b` is always a list; a text with a comma is written in quotes. */
const isBareList = (written: string): boolean => /^[^[\]{}"',]+(,[^[\]{}"',]+)+$/.test(written)

const neverVaries = (name: string, { varies }: SettableMap, option: string): AssayError =>
  new AssayError('usage', `${option}: "${name}" has one value here, not several`, {
    hint: `Put a text with a comma in quotes; to vary it, ${varies ?? `make "${name}" a factor`}.`,
  })

function levelsOf(written: string, option: string): Edit['source'] {
  const numbers = written.includes('..') ? parseRanges(written) : null
  if (numbers !== null) return { value: numbers, spellingOf: () => null }
  // A pattern of files is one text; everything else is a list.
  return /^[^,[\]]*\*[^,[\]]*$/.test(written) ? { value: written, spellingOf: () => null } : readList(written, option)
}

interface Place {
  readonly path: Path
  /** The map, if this is one of its entries. */
  readonly map?: SettableMap | undefined
}

function placeOf(dotted: string, value: Json, { keys, maps }: Settable, option: string): Place {
  const [first = '', ...rest] = dotted.split('.')
  if (!keys.includes(first)) {
    for (const map of maps) {
      const path = entryIn(map, dotted, value)
      if (path !== undefined) return { path, map }
    }
    const holder = maps.find(({ key }) => namesIn(value, key).includes(first))
    if (holder !== undefined) throw partOf(holder.key, dotted, option)
    const known = [...keys, ...maps.flatMap(({ key, names = namesIn(value, key) }) => names)]
    // A new parameter is allowed once its meaning is given.
    const open = maps.filter(({ key, names }) => key !== 'metrics' && names === undefined)
    const places = open.map(({ key }) => `${key}.${dotted}`)
    throw unknown(
      first,
      known,
      option,
      places.length === 0 ? undefined : `a new one is written as ${places.join(' or ')}`,
    )
  }
  const map = maps.find(({ key }) => key === first)
  if (map === undefined || rest.length === 0) return { path: withIndexes([first, ...rest], value) }
  const entry = entryIn(map, rest.join('.'), value)
  if (entry !== undefined) return { path: entry, map }
  const [own = ''] = rest
  // A new name is allowed, but one that is almost an old one was hardly meant to be new.
  const known = namesIn(value, first)
  if (!known.includes(own) && didYouMean(own, known) !== undefined) throw unknown(own, known, option)
  const path = withIndexes([first, ...rest], value)
  return path.length === 2 ? { path, map } : { path }
}

const entryIn = (map: SettableMap, name: string, value: Json): Path | undefined =>
  map.find?.(name, value) ?? (valueAt(value, [map.key, name]) === undefined ? undefined : [map.key, name])

/** `metrics.0` is an index in a list, and a key in a map. */
function withIndexes(steps: readonly string[], value: Json): Path {
  return steps.map((step, index) => (Array.isArray(valueAt(value, steps.slice(0, index))) ? Number(step) : step))
}

function namesIn(value: Json, key: string): readonly string[] {
  const map = valueAt(value, [key])
  return isJsonObject(map) ? Object.keys(map) : []
}

/** A parameter is known only by its name, not by its content: `layers.max` might be a parameter too. */
function partOf(key: string, dotted: string, option: string): AssayError {
  const hint = `set the content of a parameter with --set ${key}.${dotted}=…`
  return new AssayError('config', `${option}: there is no "${dotted}" in this experiment; ${hint}`, { facts: { hint } })
}

function unknown(name: string, known: readonly string[], option: string, otherwise?: string): AssayError {
  const hint = didYouMean(name, known) ?? otherwise ?? `known: ${known.join(', ')}`
  return new AssayError('config', `${option}: there is no "${name}" in this experiment; ${hint}`, { facts: { hint } })
}
