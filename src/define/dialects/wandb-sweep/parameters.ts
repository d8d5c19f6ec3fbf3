import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../../util/json.ts'
import type { Factor, PythonValues } from '../../experiment.ts'
import type { SourceProblem } from '../../problems.ts'
import { type Path, type Source, valueAt } from '../../source/source.ts'
import { byCodePoint, pythonJson } from '../../spelling/spelling.ts'
import { numberAsPassed } from './python-number.ts'
import { type Parameter, readParameter } from './read-parameter.ts'
import { parameterNotes } from './sweep-notes.ts'
import { parameterKeys, type WrittenParameter, type WrittenParameters, type WrittenSweep } from './sweep-schema.ts'

export interface Parameters {
  /** The varying ones, by name: the last one varies fastest, as in W&B. */
  readonly factors: readonly Factor[]
  /** The constant ones. */
  readonly params: JsonObject
  readonly python: PythonValues
  readonly notes: readonly string[]
  readonly problems: readonly SourceProblem[]
}

/** All parameters of a sweep; nested ones have names with dots, `optimizer.lr`. */
export function parametersOf({ parameters, method }: WrittenSweep, source: Source): Parameters {
  const flat = [...flattened(parameters, ['parameters'], [])].sort((one, other) => byCodePoint(one.name, other.name))
  const problems: SourceProblem[] = [...sameNames(flat), ...flat.flatMap(besidesNested)]
  const notes: string[] = []
  const factors: Factor[] = []
  const params: { [name: string]: Json } = {}
  const spelling: { [name: string]: { [value: string]: string } } = {}
  const floats: string[] = []
  for (const one of flat) {
    if (one.written.parameters !== undefined) continue
    const parameter = readParameter(one, method, source)
    if ('length' in parameter) {
      problems.push(...parameter)
      continue
    }
    const { name } = one
    notes.push(...parameterNotes(name, one.written, parameter))
    if (parameter.kind === 'constant') params[name] = parameter.value
    else factors.push(factorOf(name, parameter))
    if (parameter.kind === 'range' && parameter.isFloat) floats.push(name)
    spelling[name] = spellingOf(one, source)
  }
  const nested = flat.filter(({ place, written }) => place.length > 1 && written.parameters === undefined)
  const places = Object.fromEntries(nested.map(({ name, place }) => [name, place]))
  return { factors, params, python: { spelling, floats, nested: places }, notes, problems }
}

/** Where a parameter is written; undefined: nowhere. */
export function pathOfParameter(name: string, value: Json): Path | undefined {
  return findIn(valueAt(value, ['parameters']), ['parameters'], name)
}

function findIn(parameters: Json | undefined, path: Path, name: string): Path | undefined {
  if (!isJsonObject(parameters)) return undefined
  if (Object.hasOwn(parameters, name)) return [...path, name]
  for (const [outer, written] of Object.entries(parameters)) {
    if (!name.startsWith(`${outer}.`) || !isJsonObject(written)) continue
    const found = findIn(written.parameters, [...path, outer, 'parameters'], name.slice(outer.length + 1))
    if (found !== undefined) return found
  }
  return undefined
}

interface Flat {
  readonly name: string
  readonly path: Path
  readonly written: WrittenParameter
  /** Its own name, after the names of its parents. */
  readonly place: readonly string[]
}

function* flattened(parameters: WrittenParameters, path: Path, around: readonly string[]): Generator<Flat> {
  for (const [own, written] of Object.entries(parameters)) {
    const here = [...path, own]
    const place = [...around, own]
    yield { name: place.join('.'), path: here, written, place }
    if (written.parameters !== undefined) yield* flattened(written.parameters, [...here, 'parameters'], place)
  }
}

function sameNames(flat: readonly Flat[]): readonly SourceProblem[] {
  return flat
    .filter(({ name }, index) => flat[index - 1]?.name === name)
    .map(({ name, path }) => ({ path, part: 'key', message: `there are two parameters called "${name}"` }))
}

function besidesNested({ path, written }: Flat): readonly SourceProblem[] {
  const others = Object.keys(written).filter(key => key !== 'parameters' && Object.hasOwn(parameterKeys, key))
  if (written.parameters === undefined) return []
  return others.map(key => ({
    path: [...path, key],
    part: 'key',
    message: `"${key}" contradicts "parameters": a group of parameters has no value itself`,
    hint: 'leave one out',
  }))
}

function factorOf(name: string, parameter: Exclude<Parameter, { kind: 'constant' }>): Factor {
  if (parameter.kind === 'range') return { name, levels: parameter.levels, domain: parameter.domain, when: null }
  const { levels, probabilities } = parameter
  return { name, levels, ...(probabilities && { probabilities }), when: null }
}

/** How Python would spell values that are written out. */
function spellingOf({ path, written }: Flat, source: Source): { readonly [value: string]: string } {
  const spelt = (value: Json, at: Path): readonly [string, string] => [
    canonicalJson(value),
    typeof value === 'number'
      ? numberAsPassed(value, source.spellingOf(at))
      : pythonJson(value, inner => source.spellingOf([...at, ...inner])),
  ]
  const entries = [
    ...(written.value === undefined ? [] : [spelt(written.value, [...path, 'value'])]),
    ...(written.values ?? []).map((value, index) => spelt(value, [...path, 'values', index])),
  ]
  // The first of equal values counts.
  return Object.fromEntries(entries.reverse())
}
