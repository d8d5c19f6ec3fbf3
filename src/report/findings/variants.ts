import { armOf, labelOf } from '../../analyze/arms.ts'
import { defaultDrawing } from '../../analyze/choices.ts'
import { type RatioOnMetric, ratiosOf } from '../../analyze/compare/pictured.ts'
import { metricNames, readingOf, readValue } from '../../analyze/reading.ts'
import { paretoFront } from '../../analyze/search/trials.ts'
import { type Variance, varianceReadings, variances, variantsIn } from '../../analyze/variance/variance.ts'
import { type VariantMetric, variantMetrics, variantsOf } from '../../analyze/variants.ts'
import type { Observation } from '../../define/observation.ts'
import { AssayError, type OrReason, orReason } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { pageQuestion } from './comparisons.ts'
import { armsBy, filtered, idOf, type View, varyingFactors, viewedRuns, withWholeSeries } from './view.ts'

/** Every variant, with the metric and what it costs. */
export interface VariantRow {
  readonly id: number
  readonly label: string
  readonly levels: JsonObject
  readonly isBaseline: boolean
  readonly runs: number
  readonly completed: number
  readonly value: VariantMetric
  readonly cost: VariantMetric
  /** No other is both cheaper and better. */
  readonly isOnFront: boolean
}

export interface VariantRows {
  readonly metric: string
  readonly goal: 'maximize' | 'minimize'
  readonly isGoalKnown: boolean
  readonly cost: string
  readonly rows: readonly VariantRow[]
  /** Factors that vary besides the compared ones: perhaps conditions that can't be chosen. */
  readonly conditions: readonly string[]
}

/** From this many runs on, intervals of means are computed only by formula, as in `assay analyze`. */
const mostResampledRuns = 5000

export function variantRowsOf(dataset: Dataset, view: View): OrReason<VariantRows> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const variants = variantsOf(evidence)
    const options = {
      level: 1 - view.alpha,
      drawing: evidence.runs.length <= mostResampledRuns ? defaultDrawing : null,
    }
    const values = variantMetrics(evidence, variants, reading, options)
    const costs = variantMetrics(evidence, variants, readingOf(evidence, { metric: view.cost }), options)
    const rated = variants.map((_, at) => ({
      at,
      values: withoutNulls({ [reading.metric]: values[at]?.mean ?? null, [view.cost]: costs[at]?.mean ?? null }),
    }))
    const front = paretoFront(rated, [
      { metric: reading.metric, goal: reading.goal },
      { metric: view.cost, goal: 'minimize' },
    ])
    const onFront = new Set(front.map(({ at }) => at))
    return {
      metric: reading.metric,
      goal: reading.goal,
      isGoalKnown: reading.isGoalKnown,
      cost: view.cost,
      conditions: view.group.length === 0 ? [] : varyingFactors(evidence).filter(name => !view.group.includes(name)),
      rows: variants.flatMap(({ id, label, levels, runs }, at) => {
        const [value, cost] = [values[at], costs[at]]
        if (value === undefined || cost === undefined) return []
        const isBaseline = view.group.length > 0 && view.group.every(name => levels[name] === view.baseline[name])
        const completed = runs.filter(isCompleted).length
        return [
          { id, label, levels, isBaseline, runs: runs.length, completed, value, cost, isOnFront: onFront.has(at) },
        ]
      }),
    }
  })
}

const withoutNulls = (values: { readonly [metric: string]: number | null }): Record<string, number> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])))

const isCompleted = ({ outcome }: Observation): boolean => outcome.kind === 'completed'

/** Every run's number, arm by arm. */
export interface Distributions {
  readonly metric: string
  readonly rows: readonly DistributionRow[]
}

export interface DistributionRow {
  readonly label: string
  readonly isBaseline: boolean
  readonly values: readonly number[]
  /** The run behind each value. */
  readonly runs: readonly string[]
  /** Runs without a value. */
  readonly missing: number
}

export function distributionsOf(dataset: Dataset, view: View): OrReason<Distributions> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const rowOf = (label: string, isBaseline: boolean, runs: readonly Observation[]): DistributionRow => {
      const read = runs.map(run => ({ id: idOf(run), found: readValue(run, reading) }))
      const known = read.flatMap(({ id, found }) =>
        'value' in found && Number.isFinite(found.value) ? [{ id, value: found.value }] : [],
      )
      return {
        label,
        isBaseline,
        values: known.map(({ value }) => value),
        runs: known.map(({ id }) => id),
        missing: runs.length - known.length,
      }
    }
    const rows =
      view.group.length === 0
        ? variantsOf(evidence).map(({ label, runs }) => rowOf(label, false, runs))
        : armsBy(evidence, view.group).map(levels => {
            const { label, runs } = armOf(evidence, levels)
            return rowOf(label, label === labelOf(view.baseline, evidence), runs)
          })
    return { metric: reading.metric, rows }
  })
}

const threshold = 0.05

/** A curve over thousands of runs shows nothing that the first hundreds do not. */
const mostRuns = 300
const mostVariants = 60
/** Two runs say nothing about how much others would differ. */
const fewestRuns = 3

/** How much runs of one variant differ, by the number of runs: the result of `assay variance`. */
export function variationOf(dataset: Dataset, view: View): OrReason<readonly Variance[]> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const variants = variantsIn(evidence)
    if (variants.length > mostVariants || variants.some(({ runs }) => runs.length > mostRuns))
      throw new AssayError(
        'usage',
        'how much runs differ is not drawn for so many of them: assay variance does it, variant by variant',
      )
    const readings = varianceReadings(evidence, { metric: view.metric })
    const isThinned = readings.some(({ reading }) => reading.summary !== null) && dataset.kept.series_points !== null
    const groups = isThinned
      ? variances(withWholeSeries(dataset, evidence, view.metric, 'auc'), {
          ...asked(view),
          readings: readings.slice(0, 1).map(({ name, reading }) => ({ name, reading: { ...reading, summary: null } })),
        })
      : variances(evidence, { ...asked(view), readings })
    const usable = groups.filter(({ statistics: [first] }) => first !== undefined && first.values.length >= fewestRuns)
    if (usable.length === 0)
      throw new AssayError(
        'usage',
        `nothing is known about how much runs differ: no variant has ${fewestRuns} with a value of ${view.metric}`,
      )
    const drawn = usable.filter(({ statistics }) =>
      statistics.some(({ curve }) => curve.some(({ cv }) => cv !== null && cv > 0)),
    )
    if (drawn.length === 0)
      throw new AssayError('usage', `runs of ${view.metric} have no coefficient of variation: ${reasonIn(usable)}`)
    return drawn
  })
}

const reasonIn = (all: readonly Variance[]): string =>
  all.flatMap(({ statistics }) => statistics.flatMap(({ reason }) => reason ?? []))[0] ?? 'it is not defined'

const asked = ({ alpha }: View) => ({ threshold, level: 1 - alpha, drawing: defaultDrawing })

/** Every arm's metrics as multiples of the baseline's. */
export interface Profile {
  readonly baseline: string
  readonly axes: readonly { readonly metric: string; readonly goal: 'maximize' | 'minimize' }[]
  readonly arms: readonly { readonly label: string; readonly ratios: readonly RatioOnMetric[] }[]
  /** Of the intervals. */
  readonly level: number
}

/** Two axes make no shape; more than eight, or more than six arms, make a tangle. */
const fewestAxes = 3
const mostAxes = 8
const mostArms = 6
/** Beyond this, all others fall on one point in the middle. */
const widestRatio = 5

export function profileOf(dataset: Dataset, view: View): OrReason<Profile> {
  return orReason(() => {
    const { evidence, reading } = viewedRuns(dataset, view)
    const measured = metricNames(evidence.runs)
    const declared = evidence.metrics.map(({ name }) => name).filter(name => measured.includes(name))
    const others = measured.filter(name => !declared.includes(name))
    const readings = (declared.length >= fewestAxes ? declared : [...declared, ...others])
      .map(metric => readingOf(evidence, { metric }))
      // Outward would be better only by our guess.
      .filter(({ isGoalKnown }) => isGoalKnown)
      .slice(0, mostAxes)
    if (readings.length < fewestAxes)
      throw new AssayError(
        'usage',
        `no profile of all metrics: it takes ${fewestAxes} with a goal, and there are ${readings.length}`,
      )
    const axes = readings.map(({ metric, goal }) => ({ metric, goal }))
    const question = pageQuestion(evidence, reading, view)
    const onAxes = { ...evidence, metrics: axes.map(({ metric, goal }) => ({ name: metric, goal, primary: false })) }
    const arms = question.candidates
      .slice(0, mostArms)
      .map(arm => ({ label: arm.label, ratios: ratiosOf(onAxes, arm, question) }))
    // An axis on which an arm has no ratio would tear its shape apart.
    const whole = [...axes.keys()].filter(at => arms.every(arm => (arm.ratios[at]?.value ?? null) !== null))
    if (whole.length < fewestAxes)
      throw new AssayError('usage', `no profile of all metrics: only ${whole.length} have a ratio for every arm`)
    const ratios = arms.flatMap(arm => whole.flatMap(at => arm.ratios[at]?.value ?? []))
    if (ratios.length === 0 || ratios.some(ratio => ratio > widestRatio || ratio < 1 / widestRatio))
      throw new AssayError(
        'usage',
        `no profile of all metrics: one is more than ${widestRatio} times that of the baseline, beside which the others can't be seen`,
      )
    return {
      baseline: question.control.label,
      axes: whole.flatMap(at => axes[at] ?? []),
      arms: arms.map(({ label, ratios: all }) => ({ label, ratios: whole.flatMap(at => all[at] ?? []) })),
      level: 1 - view.alpha,
    }
  })
}
