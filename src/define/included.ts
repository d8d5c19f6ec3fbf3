import { canonicalJson } from '../util/canonical-json.ts'
import type { Json } from '../util/json.ts'
import type { Experiment } from './experiment.ts'

type Parts = Pick<Experiment, 'params' | 'factors' | 'zip' | 'include' | 'ablations'>

/** The levels that an entry of `include` gives to a name: a list holds several, unless it is itself a level. */
export function includedLevels(name: string, given: Json, parts: Parts): readonly Json[] {
  const factor = factorIn(parts, name)
  if (factor !== undefined) return levelsIn(given, factor.levels)
  return isListed(name, given, parts) ? given : [given]
}

/** Parameters that are no factors, and yet an `include` gives them a list of levels. */
export function listedNames(parts: Parts): ReadonlySet<string> {
  const entries = parts.include.flatMap(entry => Object.entries(entry))
  const names = entries.filter(([name, given]) => isListed(name, given, parts)).map(([name]) => name)
  return new Set(names.filter(name => name !== 'ablation' && factorIn(parts, name) === undefined))
}

/** Where a parameter is a list for everybody else, a list is one level of it; several are then a list of lists. */
function isListed(name: string, given: Json, parts: Parts): given is readonly Json[] {
  if (!Array.isArray(given)) return false
  return given.every(Array.isArray) || !givenElsewhere(name, parts).some(Array.isArray)
}

/** Several levels are given as a list, unless that list is itself one of the levels that are known. */
export function levelsIn(given: Json, levels: readonly Json[]): readonly Json[] {
  if (!Array.isArray(given)) return [given]
  const text = canonicalJson(given)
  return levels.some(level => canonicalJson(level) === text) ? [given] : given
}

/** Every level that a name has in some variant. */
export function levelsOfName(name: string, parts: Parts): readonly Json[] {
  const included = parts.include.flatMap(({ [name]: given }) =>
    given === undefined ? [] : includedLevels(name, given, parts),
  )
  return [...(factorIn(parts, name)?.levels ?? []), ...givenElsewhere(name, parts), ...included]
}

const factorIn = ({ factors, zip }: Parts, name: string) =>
  [...factors, ...zip.flat()].find(factor => factor.name === name)

const givenElsewhere = (name: string, { params, ablations }: Parts): readonly Json[] =>
  [params, ...ablations.map(({ set }) => set)].flatMap(({ [name]: given }) => (given === undefined ? [] : [given]))
