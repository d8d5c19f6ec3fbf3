import { expect, test } from 'vitest'
import { summaryOf } from '../../../../src/targets/sched-sim/output/summary.ts'
import { simulate } from '../../../../src/targets/sched-sim/simulate/simulation.ts'
import { settingsWith } from '../support/settings.ts'

// An independent program that follows the original's rules with an exact clock, without hedging, gave these over
// 10 seeds of its own: seconds from submission, and cost per workflow.
const reference = [
  { workflows: 50, policy: 'fifo_cheapest', mean: 219, p95: 391, last: 440, cost: 1.544 },
  { workflows: 50, policy: 'dag_cheapest', mean: 242, p95: 399, last: 442, cost: 1.591 },
  { workflows: 100, policy: 'fifo_cheapest', mean: 410, p95: 769, last: 831, cost: 1.563 },
  { workflows: 100, policy: 'dag_cheapest', mean: 444, p95: 810, last: 884, cost: 1.594 },
]

test.each(reference)('$policy with $workflows workflows is within 10% of the exact clock', expected => {
  const { workflows, policy } = expected
  const summaries = Array.from({ length: 10 }, (_, index) =>
    summaryOf(simulate(settingsWith({ workflows, policy, seed: index + 1, original_rules: true }))),
  )
  const mean = (column: string) => summaries.reduce((sum, row) => sum + (row[column] ?? Number.NaN), 0) / 10
  const off = (measured: number, should: number) => Math.abs(measured / should - 1)
  expect(off(mean('makespan_mean_ms') / 1000, expected.mean)).toBeLessThan(0.1)
  expect(off(mean('makespan_p95_ms') / 1000, expected.p95)).toBeLessThan(0.1)
  expect(off(mean('last_end_ms') / 1000, expected.last)).toBeLessThan(0.1)
  expect(off(mean('cost_mean'), expected.cost)).toBeLessThan(0.05)
  expect(mean('cost_mean')).toBeGreaterThan(1.54 * 0.95)
  expect(mean('cost_mean')).toBeLessThan(1.59 * 1.05)
})
