import type { Evidence, Observation } from '../../define/observation.ts'
import type { Series } from '../../define/run.ts'
import { type Estimate, isAvailable, valueOrNull } from '../../stats/estimate.ts'
import {
  areConstant,
  type CrossedCell,
  type GriddedSeries,
  type Interval,
  meanOf,
  onCommonGrid,
  pairedDifferences,
  pointwiseBand,
} from '../../stats/index.ts'
import { canonicalJson } from '../../util/json.ts'
import { plural, unitWord } from '../../util/words.ts'
import { armInterval, crossedWith } from '../arm-interval.ts'
import type { Arm } from '../arms.ts'
import type { Drawing } from '../choices.ts'
import { readingOf, wordsFor } from '../reading.ts'
import { type Samples, samplesOf } from '../samples.ts'
import { cellsOfValues } from '../units/crossing.ts'
import { unitsOf } from '../units/units.ts'
import type { Question } from './compare.ts'
import { effectSizes } from './describe/effects.ts'
import { resampledDifference } from './infer/resampled-difference.ts'

/** The numbers of a candidate and its control that pictures are drawn from. */
export type PicturedNumbers = Samples

export const numbersOf = (
  evidence: Evidence,
  candidate: Arm,
  { control, reading, isPaired, missing }: Pick<Question, 'control' | 'reading' | 'isPaired' | 'missing'>,
): PicturedNumbers => samplesOf(evidence, { control, candidate }, reading, { isPaired, missing })

/** The difference in every resample; none if the data can't be resampled. */
export function resampledDifferences(samples: PicturedNumbers, drawing: Drawing): readonly number[] {
  const found = resampledDifference(samples, drawing)
  return isAvailable(found) ? [...found.distribution] : []
}

/** The data of a Q–Q plot: the differences of pairs, or each arm by itself. */
export function shapesOf(
  { control, candidate, pairedBy }: PicturedNumbers,
  labels: { control: string; candidate: string },
) {
  if (pairedBy === null)
    return [
      { label: labels.control, values: control },
      { label: labels.candidate, values: candidate },
    ]
  return [{ label: `differences ${labels.candidate} − ${labels.control}`, values: differencesOf(candidate, control) }]
}

/** Differences that vary only by rounding are one number: its last digits have no shape. */
function differencesOf(candidate: readonly number[], control: readonly number[]): readonly number[] {
  const found = valueOrNull(pairedDifferences(candidate, control))
  const [first = 0] = found?.values ?? []
  return found !== null && areConstant(found) ? found.values.map(() => first) : (found?.values ?? [])
}

export interface RatioOnMetric {
  readonly value: number | null
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly reason: string | null
}

/** The candidate divided by the control on every declared metric: the arms' profile. */
export function ratiosOf(evidence: Evidence, candidate: Arm, question: Question): readonly RatioOnMetric[] {
  const { control, isPaired, missing, alpha } = question
  return evidence.metrics.map(({ name }) => {
    const reading = readingOf(evidence, { metric: name })
    const samples = numbersOf(evidence, candidate, { control, reading, isPaired, missing })
    const { ratio } = effectSizes(samples, 1 - alpha)
    if (ratio === null) return { value: null, interval: null, reason: wordsFor('not_positive') }
    const { value, low, high } = ratio
    return { value, interval: low === null || high === null ? null : { low, high }, reason: null }
  })
}

export interface ArmCurve {
  readonly label: string
  /** The independent units behind it, and their name: `seeds`. */
  readonly n: number
  readonly units: string
  readonly points: readonly {
    readonly step: number
    readonly mean: number
    readonly interval: { readonly low: number; readonly high: number } | null
  }[]
}

/**
 * The mean of an arm's series over the steps that all its runs reached, with a band that holds at each step. As in a
 * comparison, repetitions and everything else that varies within a unit are averaged first: the runs of a seed are not
 * independent seeds.
 */
export function curveOf(evidence: Evidence, { label, runs }: Arm, metric: string, level: number): ArmCurve {
  const drawn = runs
    .filter(run => run.outcome.kind === 'completed')
    .flatMap(run => run.series.filter(one => one.metric === metric).map(series => ({ run, series })))
  const own = drawn.map(({ run }) => run)
  const { name, of, insideAll } = unitsOf(evidence)
  const named = { label, n: new Set(own.map(of)).size, units: plural(unitWord(name)) }
  const gridded = onCommonGrid(drawn.map(({ series }) => inOrderOfSteps(series)))
  if (!isAvailable(gridded)) return { ...named, points: [] }
  const averaged = byUnit(gridded, own, of)
  const crossedAt = crossedCells(gridded, own.map(of), insideAll(own))
  const band = isMixtureOfSearch(evidence, own)
    ? null
    : bandOf(evidence, metric, averaged, crossedAt, own.length, level)
  const points = averaged.steps.map((step, at) => {
    const bounds = band?.[at]
    return {
      step,
      mean: meanOf(averaged.rows.map(row => row[at] ?? Number.NaN)),
      interval: bounds !== undefined && isAvailable(bounds) ? { low: bounds.low, high: bounds.high } : null,
    }
  })
  return { ...named, points }
}

/** A program may log an earlier step late. */
function inOrderOfSteps(series: Series): Series {
  const { steps, values } = series
  const back = steps.findIndex((step, at) => step < (steps[at - 1] ?? step))
  if (back === -1) return series
  // In older journals a returned value has the number of points as its step.
  if (back === steps.length - 1 && steps[back] === back)
    return { ...series, steps: steps.slice(0, -1), values: values.slice(0, -1) }
  const order = steps.map((_, at) => at).sort((a, b) => (steps[a] ?? 0) - (steps[b] ?? 0))
  return { ...series, steps: order.map(at => steps[at] ?? 0), values: order.map(at => values[at] ?? Number.NaN) }
}

/** For a yes-or-no series, shares: they lie between 0 and 1, and none is certain because all runs were equal. */
function bandOf(
  evidence: Evidence,
  metric: string,
  averaged: GriddedSeries,
  crossedAt: CrossedAt,
  runs: number,
  level: number,
): readonly Estimate<Interval>[] | null {
  if (averaged.rows.length < 2 || !isYesNoSeries(evidence, metric)) {
    const bounds = valueOrNull(pointwiseBand(averaged, level))?.bounds
    return bounds?.map((interval, at) => crossedWith({ interval }, crossedAt(at), level).interval) ?? null
  }
  return averaged.steps.map((_, at) => {
    const means = averaged.rows.map(row => row[at] ?? Number.NaN)
    return armInterval({ means, runs, crossed: crossedAt(at) }, { level, drawing: null, isRate: true }).interval
  })
}

type CrossedAt = (step: number) => readonly (readonly CrossedCell[])[]

/** Units that meet recurring levels, at one step: the same seeds in every task shift all of them. */
const crossedCells =
  ({ rows }: GriddedSeries, units: readonly string[], inside: readonly (readonly string[])[]): CrossedAt =>
  at =>
    inside.flatMap(levels => {
      const cells = cellsOfValues(
        rows.map(row => row[at] ?? Number.NaN),
        units,
        levels,
      )
      return cells === null ? [] : [cells]
    })

/** As for metrics, all runs of the experiment decide; a series that is 0 throughout may be of any kind. */
function isYesNoSeries({ runs }: Evidence, metric: string): boolean {
  const all = runs.flatMap(({ series }) => series.filter(one => one.metric === metric))
  return (
    all.every(({ values }) => values.every(value => value === 0 || value === 1)) &&
    all.some(({ values }) => values.includes(1))
  )
}

/** One row for each unit: the mean of the means of its cells, so that repetition gives none more weight. */
function byUnit(
  { steps, rows }: GriddedSeries,
  runs: readonly Observation[],
  unitOf: (run: Observation) => string,
): GriddedSeries {
  const cellOf = ({ params, block, source }: Observation): string => canonicalJson([source, params, block])
  const indexed = runs.map((run, at) => ({ unit: unitOf(run), cell: cellOf(run), row: rows[at] ?? [] }))
  const units = [...Map.groupBy(indexed, ({ unit }) => unit).values()].map(group => {
    const cells = [...Map.groupBy(group, ({ cell }) => cell).values()]
    return meanRow(cells.map(cell => meanRow(cell.map(({ row }) => row))))
  })
  return { steps, rows: units }
}

const meanRow = (rows: readonly (readonly number[])[]): readonly number[] =>
  (rows[0] ?? []).map((_, at) => meanOf(rows.map(row => row[at] ?? Number.NaN)))

/** The variants that a search tried are not a sample: a mean over them has no error. */
function isMixtureOfSearch({ search }: Evidence, runs: readonly Observation[]): boolean {
  return search !== undefined && new Set(runs.map(({ params }) => canonicalJson(params))).size > 1
}
