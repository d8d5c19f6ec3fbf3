import { expect, test } from 'vitest'
import { summaryOf } from '../../../../src/targets/sched-sim/output/summary.ts'
import { summaryCsv, tiersCsv, workflowsCsv } from '../../../../src/targets/sched-sim/output/tables.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { parseCsv } from '../../../../src/util/csv.ts'
import { settingsWith } from '../support/settings.ts'

const settings = settingsWith({ workflows: 40 })
const result = simulate(settings)
const rowsOf = (text: string) => {
  const [header = [], ...rows] = parseCsv(text)
  return rows.map(row => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}
const headerOf = (text: string) => text.slice(0, text.indexOf('\n'))

test('the first columns are exactly those of agent_sched_sim', () => {
  expect(headerOf(summaryCsv(result))).toMatch(
    /^makespan_mean_ms,makespan_p50_ms,makespan_p95_ms,makespan_p99_ms,cost_mean,cost_p50,/,
  )
  expect(headerOf(workflowsCsv(result))).toMatch(
    /^workflow_id,makespan_ms,cost,retries,cancellations,hedges_launched,wasted_ms,/,
  )
  expect(headerOf(tiersCsv(result))).toMatch(/^provider,tier_id,utilization,queue_wait_p95_ms,in_flight_avg,/)
})

test('workflows are in the order in which they ended', () => {
  const ends = rowsOf(workflowsCsv(result)).map(row => Number(row.ended_ms))
  expect(ends).toEqual(ends.toSorted((a, b) => a - b))
  expect(ends).toHaveLength(40)
})

test('tiers are in the order in which they are declared, local resources last', () => {
  expect(rowsOf(tiersCsv(result)).map(row => `${row.provider} ${row.tier_id}`)).toEqual([
    'embed_provider 0',
    'embed_provider 1',
    'llm_provider 0',
    'llm_provider 1',
    'cpu 0',
    'io 0',
  ])
})

test('every column of a tier is measured', () => {
  const llm = rowsOf(tiersCsv(result))[2]
  for (const column of ['utilization', 'queue_wait_p95_ms', 'in_flight_avg', 'queue_wait_mean_ms', 'cost', 'wasted_ms'])
    expect(Number(llm?.[column]), column).toBeGreaterThan(0)
  expect(Number(llm?.utilization)).toBeLessThanOrEqual(1)
  expect(Number(llm?.in_flight_avg)).toBeCloseTo(2 * Number(llm?.utilization), 4)
})

test('every column of a workflow is measured', () => {
  const rows = rowsOf(workflowsCsv(result))
  for (const column of ['cost', 'retries', 'cancellations', 'hedges_launched', 'wasted_ms', 'wasted_cost', 'timeouts'])
    expect(
      rows.some(row => Number(row[column]) > 0),
      column,
    ).toBe(true)
})

test('the summary is the sum of the workflows', () => {
  const rows = rowsOf(workflowsCsv(result))
  const [summary] = rowsOf(summaryCsv(result))
  const sum = (column: string) => rows.reduce((all, row) => all + Number(row[column]), 0)
  for (const column of ['retries', 'cancellations', 'hedges_launched', 'failures', 'timeouts'])
    expect(Number(summary?.[column])).toBe(sum(column))
  expect(Number(summary?.cost_mean)).toBeCloseTo(sum('cost') / 40, 5)
  expect(Number(summary?.makespan_mean_ms)).toBeCloseTo(sum('makespan_ms') / 40, 3)
})

test('a makespan counts from submission, and from the first start in agent_sched_sim’s column', () => {
  for (const row of rowsOf(workflowsCsv(result))) {
    expect(Number(row.makespan_ms)).toBeCloseTo(Number(row.ended_ms) - Number(row.submitted_ms), 4)
    expect(Number(row.original_makespan_ms)).toBeCloseTo(Number(row.ended_ms) - Number(row.started_ms), 4)
  }
  expect(Number(summaryOf(result).original_makespan_mean_ms)).toBeLessThan(Number(summaryOf(result).makespan_mean_ms))
})

test('a missing value is an empty cell: no makespan without a completed workflow', () => {
  const broke = simulate(settingsWith({ workflows: 3 }, { budget_per_workflow: 0.02 }))
  const [summary] = rowsOf(summaryCsv(broke))
  expect(summary).toMatchObject({ makespan_mean_ms: '', makespan_p95_ms: '', completed: '0', out_of_budget: '3' })
  expect(rowsOf(workflowsCsv(broke)).map(row => row.status)).toEqual([
    'out_of_budget',
    'out_of_budget',
    'out_of_budget',
  ])
})
