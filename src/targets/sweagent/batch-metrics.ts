import type { Point } from '../../define/target.ts'
import type { Trajectory } from '../../models/trajectory/trajectory.ts'

/** The figures after each instance, under the names that The Complexity Trap's `run_sweep.py` logs; `step` is the number of instances. */
export function batchPoints(trajectories: readonly Trajectory[]): readonly Point[] {
  let submitted = 0
  let turns = 0
  let calls: number | null = 0
  const cost: { [purpose in 'agent' | 'summary' | 'rloop']: number | null } = { agent: 0, summary: 0, rloop: 0 }
  return trajectories.flatMap(({ exit_status, turns: made, totals }, index): readonly Point[] => {
    const step = index + 1
    if (exit_status?.startsWith('submitted')) submitted++
    turns += made.length
    calls = plus(calls, totals.agent.calls)
    for (const purpose of ['agent', 'summary', 'rloop'] as const)
      cost[purpose] = plus(cost[purpose], totals[purpose].cost_usd)
    const total = plus(plus(cost.agent, cost.summary), cost.rloop)
    const values: { readonly [metric: string]: number | null } = {
      n_instances: step,
      n_submitted: submitted,
      submission_rate: submitted / step,
      total_turns: turns,
      avg_turns: turns / step,
      total_api_calls: calls,
      avg_api_calls: calls === null ? null : calls / step,
      total_cost: total,
      total_agent_cost: cost.agent,
      total_summary_cost: cost.summary,
      total_rloop_cost: cost.rloop,
      avg_cost: total === null ? null : total / step,
    }
    return Object.entries(values).flatMap(([metric, value]) => (value === null ? [] : [{ metric, value, step }]))
  })
}

const plus = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? null : one + other
