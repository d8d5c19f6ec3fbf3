import { csvLine } from '../../../util/csv.ts'
import type { Workflow } from '../simulate/graph/workflow.ts'
import type { Resource } from '../simulate/queue/resource.ts'
import type { Tier } from '../simulate/queue/tier.ts'
import type { SimResult } from '../simulate/simulation.ts'
import { spreadOf } from './percentile.ts'
import { fromFirstStart, summaryOf } from './summary.ts'

type Row = Readonly<Record<string, number | string>>

export const summaryCsv = (result: SimResult): string => tableText([summaryOf(result)])

/** One row per workflow in the order in which they ended. */
export const workflowsCsv = ({ workflows }: SimResult): string => tableText(workflows.map(workflowRow))

/** One row per tier as declared, then one per local resource. */
export const tiersCsv = ({ resources, endMs }: SimResult): string =>
  tableText(resources.flatMap(resource => resource.tiers.map(tier => tierRow(resource, tier, endMs))))

function workflowRow(workflow: Workflow): Row {
  const { id, submittedAt, startedAt, endedAt, status, totals } = workflow
  return {
    workflow_id: id,
    makespan_ms: (endedAt ?? 0) - submittedAt,
    cost: totals.cost,
    retries: totals.retries,
    cancellations: totals.cancellations,
    hedges_launched: totals.hedges_launched,
    wasted_ms: totals.wasted_ms,
    status,
    submitted_ms: submittedAt,
    started_ms: startedAt ?? '',
    ended_ms: endedAt ?? '',
    original_makespan_ms: fromFirstStart(workflow),
    iterations: totals.iterations,
    attempts: totals.attempts,
    failures: totals.failures,
    timeouts: totals.timeouts,
    escalations: totals.escalations,
    hedges_won: totals.hedges_won,
    wasted_cost: totals.wasted_cost,
  }
}

export function tierRow(resource: Resource, tier: Tier, endMs: number): Row {
  const { totals, spec, waits } = tier
  const wait = spreadOf(waits)
  return {
    provider: resource.name,
    tier_id: tier.index,
    utilization: endMs === 0 ? 0 : totals.busy_ms / (spec.slots * endMs),
    queue_wait_p95_ms: waits.length === 0 ? 0 : wait.p95,
    in_flight_avg: endMs === 0 ? 0 : totals.busy_ms / endMs,
    queue_wait_mean_ms: waits.length === 0 ? 0 : wait.mean,
    slots: spec.slots,
    attempts: totals.attempts,
    completed: totals.completed,
    failed: totals.failed,
    timed_out: totals.timed_out,
    cancelled: totals.cancelled,
    hedges: totals.hedges,
    escalations: totals.escalations,
    cost: totals.cost,
    wasted_ms: totals.wasted_ms,
    busy_ms: totals.busy_ms,
  }
}

function tableText(rows: readonly Row[]): string {
  const columns = Object.keys(rows[0] ?? {})
  return csvLine(columns) + rows.map(row => csvLine(columns.map(column => cell(row[column] ?? '')))).join('')
}

/** To a millionth: enough for a price per call, and the same text everywhere. Missing values are empty. */
function cell(value: number | string): string {
  if (typeof value === 'string') return value
  return Number.isFinite(value) ? String(Math.round(value * 1e6) / 1e6) : ''
}
