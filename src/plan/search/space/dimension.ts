import type { Factor } from '../../../define/experiment.ts'
import { canonicalJson, type Json, type JsonObject } from '../../../util/json.ts'
import { numberAt, placeOf } from './domain.ts'

/**
 * One dimension of a search: a factor, factors zipped together, or the ablations. A coordinate is the number itself, or
 * for a list the index of the level.
 */
export interface Dimension {
  readonly names: readonly string[]
  /** Whether neighbouring places are similar: numbers are, names are not. */
  readonly isOrdered: boolean
  /** The number of coordinates; Infinity if they are not listed. */
  readonly size: number
  /** The coordinate at a place between 0 and 1. */
  coordinateAt(place: number): number
  placeOf(coordinate: number): number
  /** A level for each name. */
  levelsAt(coordinate: number): readonly Json[]
  /** The coordinate with these levels; null if there is none. */
  find(params: JsonObject): number | null
}

export function dimensionOf(group: readonly Factor[]): Dimension {
  const [factor] = group
  if (factor !== undefined && group.length === 1 && factor.domain !== undefined) return numbers(factor, factor.domain)
  return list(group)
}

function numbers({ name, levels }: Factor, domain: NonNullable<Factor['domain']>): Dimension {
  return {
    names: [name],
    isOrdered: true,
    size: levels.length === 0 ? Number.POSITIVE_INFINITY : levels.length,
    coordinateAt: place => numberAt(domain, place),
    placeOf: value => placeOf(domain, value),
    levelsAt: value => [value],
    find(params) {
      const value = params[name]
      if (typeof value !== 'number') return null
      const nearest = numberAt(domain, placeOf(domain, value))
      const isFine = domain.step === null && !(domain.kind === 'uniform' && (value < domain.min || value > domain.max))
      return isFine || nearest === value ? value : null
    },
  }
}

function list(group: readonly Factor[]): Dimension {
  const names = group.map(({ name }) => name)
  const size = group[0]?.levels.length ?? 0
  const rows = Array.from({ length: size }, (_, row) => group.map(({ levels }) => levels[row] ?? null))
  const numbers = group.length === 1 ? rows.flat().filter(level => typeof level === 'number') : []
  const isOrdered = size > 2 && numbers.length === size
  // By the size of the number, whatever order they are listed in.
  const ranked = Array.from({ length: size }, (_, row) => row)
  if (isOrdered) ranked.sort((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0))
  const rankOf = ranked.map((_, row) => ranked.indexOf(row))
  const ends = cumulative(ranked.map(row => group[0]?.probabilities?.[row] ?? 1))
  const texts = new Map(rows.map((row, index) => [canonicalJson(row), index]))
  return {
    names,
    isOrdered,
    size,
    coordinateAt(place) {
      const rank = ends.findIndex(end => place < end)
      return ranked[rank < 0 ? size - 1 : rank] ?? 0
    },
    placeOf(row) {
      const rank = rankOf[row] ?? 0
      return ((ends[rank - 1] ?? 0) + (ends[rank] ?? 1)) / 2
    },
    levelsAt: row => rows[row] ?? [],
    find: params => texts.get(canonicalJson(names.map(name => params[name] ?? null))) ?? null,
  }
}

/** The upper end of each share: 1, 1, 2 → 0.25, 0.5, 1. */
function cumulative(weights: readonly number[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let sum = 0
  return weights.map(weight => {
    sum += weight / total
    return sum
  })
}
