import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Aggregates, stepSeries } from '../../../src/analyze/trajectories/aggregates.ts'
import { inOrder, instanceRow } from '../../../src/analyze/trajectories/instance.ts'
import { record, step, sums } from './records.ts'

const first = record({
  ...{ instance_id: 'django__django-1', n_turns: 10, patch_lines: 4, ended_at: 1 },
  agent: sums({ calls: 10, cost_usd: 2, raw_input_tokens: 600, cached_input_tokens: 200, output_tokens: 40 }),
  summary: sums({ calls: 2, cost_usd: 1, raw_input_tokens: 50, output_tokens: 5 }),
  steps: [step(100, 0, 10), step(20, 80, 10, { usage: null }), step(20, 80, 10)],
})
const second = record({
  ...{ instance_id: 'flask-2', exit_status: 'exit_context', n_turns: 30, ended_at: 2 },
  agent: sums({ calls: 28, cost_usd: 1, raw_input_tokens: 100, cached_input_tokens: 100, output_tokens: 10 }),
  rloop: sums({ calls: 10, cost_usd: 1 }),
  steps: [step(50, 50, 5, { cost_usd: null })],
})

test('logs everything after each instance', () => {
  const aggregates = new Aggregates()
  const [one, both] = inOrder([second, first]).map(one => {
    aggregates.add(instanceRow(one))
    return aggregates.metrics()
  })
  expect(one).toMatchObject({ n_instances: 1, n_submitted: 1, submission_rate: 1, turn_std: 0, turn_median: 10 })
  expect(both).toEqual({
    ...{ n_instances: 2, n_submitted: 1, submission_rate: 0.5 },
    ...{ total_cost: 5, total_agent_cost: 3, total_summary_cost: 1, total_rloop_cost: 1, total_turns: 40 },
    ...{ total_api_calls: 38, total_summary_api_calls: 2, total_rloop_api_calls: 10 },
    ...{ total_raw_input_tokens: 700, total_cached_input_tokens: 300, total_output_tokens: 50 },
    ...{ total_internal_reasoning_tokens: 0, total_summary_raw_input_tokens: 50 },
    ...{ total_summary_cached_input_tokens: 0, total_summary_output_tokens: 5, total_patch_lines: 4 },
    ...{ total_duration_ms: 40, 'exit/submitted': 1, 'exit/exit_context': 1, 'repo/django': 1, 'repo/flask': 1 },
    ...{ cache_hit_rate: 0.3, avg_cost: 2.5, avg_turns: 20, avg_api_calls: 19, avg_patch_lines: 2 },
    ...{ avg_duration_ms: 20, avg_tokens_per_turn: 25, summary_cost_fraction: 0.2, rloop_cost_fraction: 0.2 },
    ...{ turn_std: Math.sqrt(200), turn_median: 20, turn_min: 10, turn_max: 30 },
  })
})

test('spreads the tokens of all attempts over the turns of all attempts', () => {
  const reviewed = record({
    ...{ instance_id: 'a__b-1', n_turns: 10, ended_at: 1 },
    agent: sums({ calls: 25, raw_input_tokens: 500 }),
    others: Array.from({ length: 15 }, () => step(20, 0, 1)),
  })
  const aggregates = new Aggregates()
  aggregates.add(instanceRow(reviewed))
  expect(aggregates.metrics()).toMatchObject({ total_turns: 10, avg_tokens_per_turn: 20 })
})

test('adds the shares of calls at the end', () => {
  const aggregates = new Aggregates(0)
  expect(aggregates.summary()).toMatchObject({ n_instances: 0, submission_rate: 0, avg_cost: 0, turn_median: 0 })
  for (const one of [first, second]) aggregates.add(instanceRow(one, 0))
  expect(aggregates.summary()).toMatchObject({ summary_api_fraction: 2 / 50, rloop_api_fraction: 10 / 50 })
  const { values, bins } = aggregates.turnDistribution()
  expect([values.length, bins.length, bins[0], bins[64], values[0], values[63]]).toEqual([64, 65, 10, 30, 1, 1])
})

test('one unknown cost makes every sum of costs unknown, but no other sum', () => {
  const aggregates = new Aggregates()
  aggregates.add(instanceRow(first))
  aggregates.add(instanceRow({ ...second, agent: { ...second.agent, cost_usd: null } }))
  expect(aggregates.metrics()).toMatchObject({ total_cost: null, avg_cost: null, summary_cost_fraction: null })
  expect(aggregates.metrics()).toMatchObject({ total_turns: 40, total_summary_cost: 1 })
})

test('steps have their own axis over all instances, in the order of their ends', () => {
  const points = [...stepSeries([second, first])]
  expect(points.map(({ global_step, step, instance_id }) => [global_step, step, instance_id])).toEqual([
    [1, 1, 'django__django-1'],
    [3, 2, 'django__django-1'],
    [4, 1, 'flask-2'],
  ])
  expect(points[1]?.metrics).toMatchObject({
    ...{ step: 2, 'step/cost': 0.5, 'step/tokens_in': 100, 'step/tokens_out': 10, 'step/cache_hit_rate': 0.8 },
    ...{ 'instance/cost': 1, 'instance/tokens_in': 200, 'instance/api_calls': 2, 'instance/cache_hit_rate': 0.4 },
    ...{ 'cumulative/cost': 1, 'cumulative/tokens_raw_input': 120, 'cumulative/execution_time_ms': 20 },
  })
  expect(points[2]?.metrics).toMatchObject({
    ...{ 'step/cost': null, 'instance/tokens_in': 100, 'instance/api_calls': 1 },
    ...{ 'cumulative/cost': null, 'cumulative/tokens_in': 300, 'cumulative/api_calls': 3 },
  })
  const names = Object.keys(points[0]?.metrics ?? {})
  expect(names.filter(name => name.startsWith('step/'))).toEqual(
    'cost tokens_in tokens_out tokens_raw_input tokens_cached_input tokens_internal_reasoning inference_time_ms execution_time_ms cache_hit_rate'
      .split(' ')
      .map(name => `step/${name}`),
  )
})

test('totals and the median do not depend on the order, and agree with a plain computation', () => {
  const instance = fc.record({
    turns: fc.nat(300),
    cost: fc.double({ min: 0, max: 10, noNaN: true }),
    submitted: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(instance, { minLength: 1, maxLength: 40 }), all => {
      const aggregates = new Aggregates()
      for (const { turns, cost, submitted } of all)
        aggregates.add(
          instanceRow(
            record({
              n_turns: turns,
              agent: sums({ cost_usd: cost }),
              exit_status: submitted ? 'submitted' : 'exit_cost',
            }),
          ),
        )
      const metrics = aggregates.metrics()
      const turns = all.map(one => one.turns).sort((a, b) => a - b)
      const [low = 0, high = 0] = [turns[(turns.length - 1) >> 1], turns[turns.length >> 1]]
      expect(metrics.turn_median).toBe((low + high) / 2)
      expect([metrics.turn_min, metrics.turn_max]).toEqual([turns[0], turns.at(-1)])
      expect(metrics.n_submitted).toBe(all.filter(one => one.submitted).length)
      expect(metrics.total_cost).toBeCloseTo(
        all.reduce((sum, { cost }) => sum + cost, 0),
        9,
      )
      expect(aggregates.turnDistribution().values.reduce((sum, count) => sum + count, 0)).toBe(all.length)
    }),
  )
})
