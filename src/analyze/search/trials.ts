import type { EvidenceRun } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { JsonObject } from '../../util/json.ts'

/** A variant that a search tried, in the order in which it did. */
export interface SearchTrial {
  /** From 1. */
  readonly number: number
  readonly params: JsonObject
  /** By metric: the mean over its runs; a metric that no run has is missing. */
  readonly values: { readonly [metric: string]: number }
  /** By metric: the standard error of that mean, where there are two runs or more. */
  readonly errors: { readonly [metric: string]: number }
  readonly runs: number
  /** Runs that did not complete. */
  readonly failed: number
}

export interface Objective {
  readonly metric: string
  readonly goal: 'minimize' | 'maximize'
}

/** Runs folded into trials: one for each variant, whatever its blocks and replicates. A run that was stopped early counts unless told otherwise. */
export function trialsOf(
  runs: readonly Pick<EvidenceRun, 'params' | 'metrics' | 'outcome'>[],
  which: 'ended' | 'completed' = 'ended',
): readonly SearchTrial[] {
  const kinds = which === 'ended' ? ['completed', 'stopped_early'] : ['completed']
  const groups = Map.groupBy(runs, ({ params }) => canonicalJson(params))
  return [...groups.values()].map((group, index) => {
    const completed = group.filter(({ outcome }) => kinds.includes(outcome.kind))
    const metrics = [...new Set(completed.flatMap(run => Object.keys(run.metrics)))]
    const summaries = metrics.map(
      metric => [metric, summary(completed.flatMap(run => run.metrics[metric] ?? []))] as const,
    )
    return {
      number: index + 1,
      params: group[0]?.params ?? {},
      values: Object.fromEntries(summaries.map(([metric, { mean }]) => [metric, mean])),
      errors: Object.fromEntries(summaries.flatMap(([metric, { error }]) => (error === null ? [] : [[metric, error]]))),
      runs: group.length,
      failed: group.length - completed.length,
    }
  })
}

function summary(values: readonly number[]): { readonly mean: number; readonly error: number | null } {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: count < 2 ? null : Math.sqrt(squares / (count - 1) / count) }
}
