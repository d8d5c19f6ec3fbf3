import { canonicalJson } from '../../util/canonical-json.ts'
import { largestOf, smallestOf } from '../../util/extremes.ts'
import type { Json } from '../../util/json.ts'
import type { Objective, SearchTrial } from './trials.ts'

/** An axis of the picture: a parameter that varies, or the objective at the end. */
export type CoordinateAxis =
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
  /** A trial each, with a value for each axis; null where the parameter does not apply. */
  readonly rows: readonly { readonly number: number; readonly values: readonly Json[] }[]
}

/** Every trial with a value as a line across all parameters, to the objective. */
export function parallelCoordinates(trials: readonly SearchTrial[], { metric }: Objective): ParallelCoordinates {
  const rated = trials.filter(({ values }) => values[metric] !== undefined)
  const names = [...new Set(rated.flatMap(({ params }) => Object.keys(params)))]
  const columns = [
    ...names.map(name => ({ name, values: rated.map(({ params }) => params[name] ?? null) })),
    { name: metric, values: rated.map(({ values }) => values[metric] ?? null) },
  ].filter(({ name, values }) => name === metric || new Set(values.map(canonicalJson)).size > 1)
  return {
    axes: columns.map(({ name, values }) => axisOf(name, values)),
    rows: rated.map(({ number }, row) => ({ number, values: columns.map(({ values }) => values[row] ?? null) })),
  }
}

export function axisOf(name: string, values: readonly Json[]): CoordinateAxis {
  const present = values.filter(value => value !== null)
  const numbers = present.filter(value => typeof value === 'number')
  if (numbers.length < present.length) return { name, kind: 'choice', levels: distinct(present) }
  const [min, max] = [smallestOf(numbers), largestOf(numbers)]
  return { name, kind: 'number', min, max, isLog: min > 0 && max / min > 100 }
}

const distinct = (values: readonly Json[]): readonly Json[] => [
  ...new Map(values.map(value => [canonicalJson(value), value])).values(),
]
