import { describe, expect, it } from 'vitest'
import { stepSeries } from '../../../src/analyze/trajectories/aggregates.ts'
import { instanceRow, runInstance } from '../../../src/analyze/trajectories/instance.ts'
import type { Series } from '../../../src/define/run.ts'
import { runMetrics, stepPoints } from '../../../src/targets/agent/metrics.ts'
import { madeTrajectory } from '../../support/agent-work.ts'
import { aRun } from '../evidence.ts'

const trajectory = madeTrajectory({ turns: 7, keep: 3 })

/** A run as the journal has it. */
function recorded() {
  const points = trajectory.turns.flatMap((turn, at) => stepPoints(turn, at + 1))
  const series = [...Map.groupBy(points, ({ metric }) => metric)].map(
    ([metric, own]): Series => ({
      metric,
      steps: own.map(({ step }) => step ?? 0),
      values: own.map(({ value }) => value),
    }),
  )
  return aRun({
    ...{ name: 'run', block: { task: 'tasks/a' }, metrics: runMetrics(trajectory), series, ended_at: 7 },
    outcome: { kind: 'completed', exit_status: 'submitted (exit_cost)' },
  })
}

describe('a run of an agent as an instance', () => {
  it('has the numbers that the run reported', () => {
    const run = recorded()
    const record = runInstance(run)
    if (record === null) throw new Error('it is none')
    const row = instanceRow(record)
    expect(row).toMatchObject({ instance_id: 'tasks/a', exit_category: 'exit_cost', submitted: true, n_turns: 7 })
    for (const name of [
      'total_cost',
      'agent_cost',
      'agent_api_calls',
      'raw_input_tokens',
      'cached_input_tokens',
      'output_tokens',
      'cache_hit_rate',
      'patch_lines',
      'instance_duration_ms',
      'tokens_per_turn',
    ] as const)
      expect([name, row[name]]).toEqual([name, expect.closeTo(run.metrics[name] ?? Number.NaN, 10)])
  })

  it('has the turns of its series, so that sums over turns add up to the total', () => {
    const record = runInstance(recorded())
    if (record === null) throw new Error('it is none')
    const points = [...stepSeries([record])]
    expect(points.map(({ global_step }) => global_step)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(points.at(-1)?.metrics['cumulative/cost']).toBeCloseTo(0.028, 10)
    expect(points.at(-1)?.metrics['cumulative/tokens_in']).toBe(2800)
    expect(points[1]?.metrics['step/tokens_out']).toBe(
      recorded().series.find(({ metric }) => metric === 'step/tokens_out')?.values[1],
    )
  })

  it('needs turns, and keeps unknown numbers unknown', () => {
    expect(runInstance(aRun({ metrics: { score: 1 } }))).toBe(null)
    const little = runInstance(aRun({ metrics: { n_turns: 2, submitted: 0 } }))
    expect(little === null ? null : instanceRow(little)).toMatchObject({
      total_cost: null,
      exit_category: 'unknown',
      submitted: false,
    })
  })
})
