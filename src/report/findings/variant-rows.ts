import { defaultDrawing } from '../../analyze/compare/method.ts'
import { readingOf } from '../../analyze/reading.ts'
import { paretoFront } from '../../analyze/search/pareto-front.ts'
import { type VariantMetric, variantMetrics, variantsOf } from '../../analyze/variants.ts'
import type { EvidenceRun } from '../../plan/evidence.ts'
import type { JsonObject } from '../../util/json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { lookedAt } from './looked-at.ts'
import { type View, varyingFactors } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

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
  /** Factors that vary besides those that are compared: conditions, perhaps, which nobody chooses. */
  readonly conditions: readonly string[]
}

/** From so many runs on, intervals of means are by formula alone, as `assay analyze` has it. */
const mostResampledRuns = 5000

export function variantRowsOf(dataset: Dataset, view: View): OrReason<VariantRows> {
  return orReason(() => {
    const { evidence, reading } = lookedAt(dataset, view)
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

const isCompleted = ({ outcome }: EvidenceRun): boolean => outcome.kind === 'completed'
