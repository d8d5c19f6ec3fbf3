import type { Workflow, WorkflowTotals } from '../simulate/graph/workflow.ts'
import type { SimResult } from '../simulate/simulation.ts'
import { originalSpreadOf, spreadOf } from './percentile.ts'

/** One row about the whole simulation: the six columns of Cascade's simulator, then ours. Times are virtual milliseconds. */
export function summaryOf({ workflows, resources, endMs }: SimResult): Readonly<Record<string, number>> {
  const completed = workflows.filter(({ status }) => status === 'completed')
  // A workflow that failed has no makespan: it never did its work.
  const makespans = spreadOf(completed.map(({ submittedAt, endedAt }) => (endedAt ?? 0) - submittedAt))
  const originals = originalSpreadOf(workflows.map(fromFirstStart))
  const costs = spreadOf(workflows.map(({ totals }) => totals.cost))
  const sum = (part: keyof WorkflowTotals): number => workflows.reduce((all, { totals }) => all + totals[part], 0)
  const attempts = resources.filter(({ isLocal }) => !isLocal).flatMap(({ tiers }) => tiers)
  return {
    makespan_mean_ms: makespans.mean,
    makespan_p50_ms: makespans.p50,
    makespan_p95_ms: makespans.p95,
    makespan_p99_ms: makespans.p99,
    cost_mean: costs.mean,
    cost_p50: costs.p50,
    workflows: workflows.length,
    completed: completed.length,
    failed: workflows.filter(({ status }) => status === 'failed').length,
    out_of_budget: workflows.filter(({ status }) => status === 'out_of_budget').length,
    last_end_ms: endMs,
    cost_total: sum('cost'),
    iterations_mean: sum('iterations') / workflows.length,
    provider_calls: attempts.reduce((all, { totals }) => all + totals.attempts, 0),
    retries: sum('retries'),
    failures: sum('failures'),
    timeouts: sum('timeouts'),
    cancellations: sum('cancellations'),
    hedges_launched: sum('hedges_launched'),
    hedges_won: sum('hedges_won'),
    escalations: sum('escalations'),
    wasted_ms: sum('wasted_ms'),
    wasted_cost: sum('wasted_cost'),
    original_makespan_mean_ms: originals.mean,
    original_makespan_p50_ms: originals.p50,
    original_makespan_p95_ms: originals.p95,
    original_makespan_p99_ms: originals.p99,
  }
}

/** The makespan of Cascade's simulator: from the first start of a step, without the wait before it. */
export const fromFirstStart = ({ startedAt, endedAt, submittedAt }: Workflow): number =>
  (endedAt ?? 0) - (startedAt ?? submittedAt)
