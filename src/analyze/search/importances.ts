import { largestOf, smallestOf } from '../../util/collections.ts'
import { canonicalJson, type Json } from '../../util/json.ts'
import { seededRandom } from '../../util/random.ts'
import { growTree, type Leaf, type Table } from './forest.ts'
import type { Objective, SearchTrial } from './trials.ts'

export interface Importance {
  readonly parameter: string
  /** The share of the objective's variance over the space that this parameter explains alone. */
  readonly share: number
  /** The standard deviation of that share over the trees: the forest's uncertainty. */
  readonly deviation: number
}

/** A share that varies between trees by more than its size may as well be 0. */
export const isResolved = ({ share, deviation }: { readonly share: number; readonly deviation: number }): boolean =>
  deviation < share

/** The scale of each range in the experiment's file; for other numbers it is inferred from their values. */
export type Scales = ReadonlyMap<string, 'linear' | 'log'>

const trees = 64
const mostBins = 12
const fewestTrials = 8

/**
 * The importance of each parameter: functional analysis of variance on a random forest (F. Hutter, H. Hoos and K.
 * Leyton-Brown 2014, "An efficient approach for assessing hyperparameter importance", ICML). The forest approximates
 * the objective over the whole space, so it does not matter that a search mostly tried good regions; effects that the
 * forest misses are missed here. Numbers are cut into bins; not applying is a bin of its own. Most important first;
 * empty if there are too few trials, or all values are equal.
 */
export function importances(
  trials: readonly SearchTrial[],
  { metric }: Objective,
  scales: Scales = new Map(),
): readonly Importance[] {
  const rated = trials.filter(({ values }) => values[metric] !== undefined)
  const names = [...new Set(rated.flatMap(({ params }) => Object.keys(params)))]
  const columns = names
    .map(name => ({
      name,
      ...binned(
        name,
        rated.map(({ params }) => params[name] ?? null),
        scales,
      ),
    }))
    .filter(({ weights }) => weights.length > 1)
  if (rated.length < fewestTrials || columns.length === 0) return []
  const table: Table = {
    rows: rated.map((_, row) => columns.map(({ bins }) => bins[row] ?? 0)),
    values: rated.map(({ values }) => values[metric] ?? 0),
    weights: columns.map(({ weights }) => weights),
    ordered: columns.map(({ isOrdered }) => isOrdered),
  }
  const random = seededRandom(rated.length)
  const shares = Array.from({ length: trees }, () => sharesIn(growTree(table, random), table)).filter(
    one => one !== null,
  )
  if (shares.length === 0) return []
  return columns
    .map(({ name }, index) => ({ parameter: name, ...meanAndDeviation(shares.map(one => one[index] ?? 0)) }))
    .sort((a, b) => b.share - a.share)
}

interface Binned {
  readonly bins: readonly number[]
  readonly weights: readonly number[]
  readonly isOrdered: boolean
}

/** All bins have the same weight, except that not applying is weighted by its frequency. */
function binned(name: string, values: readonly Json[], scales: Scales): Binned {
  const axis = axisOf(name, values, scales)
  const present = values.filter(value => value !== null)
  const count =
    axis.kind === 'choice' ? axis.levels.length : axis.min < axis.max ? binsOf(present) : present.length > 0 ? 1 : 0
  const isAbsent = values.length > present.length
  const share = present.length / Math.max(1, values.length)
  return {
    bins: values.map(value => (value === null ? count : binOf(axis, value, count))),
    weights: [...Array.from({ length: count }, () => share / count), ...(isAbsent ? [1 - share] : [])],
    isOrdered: axis.kind === 'number',
  }
}

const binsOf = (values: readonly Json[]): number => Math.min(mostBins, new Set(values.map(canonicalJson)).size)

function binOf(axis: CoordinateAxis, value: Json, count: number): number {
  if (axis.kind === 'choice') return axis.levels.findIndex(level => canonicalJson(level) === canonicalJson(value))
  const scale = (number: number) => (axis.isLog ? Math.log(number) : number)
  const place = (scale(Number(value)) - scale(axis.min)) / (scale(axis.max) - scale(axis.min) || 1)
  return Math.min(count - 1, Math.floor(place * count))
}

/** For each feature, its share of the variance of one tree over the space; null if the tree is flat. */
function sharesIn(leaves: readonly Leaf[], { weights }: Table): readonly number[] | null {
  const masses = leaves.map(({ bins }) =>
    weights.map((all, feature) => [...(bins[feature] ?? [])].reduce((sum, bin) => sum + (all[bin] ?? 0), 0)),
  )
  const product = (factors: readonly number[]) => factors.reduce((one, other) => one * other, 1)
  const total = masses.map(product)
  const mean = leaves.reduce((sum, { value }, leaf) => sum + value * (total[leaf] ?? 0), 0)
  const variance = leaves.reduce((sum, { value }, leaf) => sum + (value - mean) ** 2 * (total[leaf] ?? 0), 0)
  if (!(variance > 0)) return null
  return weights.map((all, feature) => {
    const others = masses.map(mass => product(mass.filter((_, index) => index !== feature)))
    const explained = all.map((weight, bin) => {
      const marginal = leaves.reduce(
        (sum, { bins, value }, leaf) => sum + (bins[feature]?.has(bin) ? value * (others[leaf] ?? 0) : 0),
        0,
      )
      return weight * (marginal - mean) ** 2
    })
    return explained.reduce((sum, part) => sum + part, 0) / variance
  })
}

function meanAndDeviation(values: readonly number[]): { readonly share: number; readonly deviation: number } {
  const share = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - share) ** 2, 0)
  return { share, deviation: Math.sqrt(squares / Math.max(1, values.length - 1)) }
}

/** An axis of the picture: a parameter that varies, or the objective at the end. */
type CoordinateAxis =
  | {
      readonly name: string
      readonly kind: 'number'
      readonly min: number
      readonly max: number
      readonly isLog: boolean
    }
  | { readonly name: string; readonly kind: 'choice'; readonly levels: readonly Json[] }

export interface ParallelCoordinates {
  readonly axes: readonly CoordinateAxis[]
  /** One row per trial, with a value for each axis; null if the parameter does not apply. */
  readonly rows: readonly { readonly number: number; readonly values: readonly Json[] }[]
}

/** Every trial with a value as a line across all parameters, to the objective. */
export function parallelCoordinates(
  trials: readonly SearchTrial[],
  { metric }: Objective,
  scales: Scales = new Map(),
): ParallelCoordinates {
  const rated = trials.filter(({ values }) => values[metric] !== undefined)
  const names = [...new Set(rated.flatMap(({ params }) => Object.keys(params)))]
  const columns = [
    ...names.map(name => ({ name, values: rated.map(({ params }) => params[name] ?? null) })),
    { name: metric, values: rated.map(({ values }) => values[metric] ?? null) },
  ].filter(({ name, values }) => name === metric || new Set(values.map(canonicalJson)).size > 1)
  return {
    axes: columns.map(({ name, values }) => axisOf(name, values, scales)),
    rows: rated.map(({ number }, row) => ({ number, values: columns.map(({ values }) => values[row] ?? null) })),
  }
}

function axisOf(name: string, values: readonly Json[], scales: Scales): CoordinateAxis {
  const present = values.filter(value => value !== null)
  const numbers = present.filter(value => typeof value === 'number')
  if (numbers.length < present.length) return { name, kind: 'choice', levels: distinct(present) }
  const [min, max] = [smallestOf(numbers), largestOf(numbers)]
  const scale = scales.get(name) ?? (max / min >= 100 ? 'log' : 'linear')
  return { name, kind: 'number', min, max, isLog: min > 0 && scale === 'log' }
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map(value => [canonicalJson(value), value])).values(),
]
