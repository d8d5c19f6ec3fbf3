import { expect, test } from 'vitest'
import {
  exitCategory,
  inOrder,
  instanceColumns,
  instanceRow,
  isSubmitted,
  repoOf,
} from '../../../src/analyze/trajectories/instance.ts'
import { record, step, sums } from './records.ts'

test.each([
  ['submitted', 'submitted', true],
  ['Submitted', 'submitted', true],
  ['submitted (exit_cost)', 'exit_cost', true],
  ['submitted (exit_context)', 'exit_context', true],
  ['submitted (Uncaught KeyError)', 'exit_error', true],
  ['submitted ()', 'unknown', true],
  ['exit_cost', 'exit_cost', false],
  ['exit_context', 'exit_context', false],
  ['exit_total_execution_time', 'exit_timeout', false],
  ['exit_command_timeout', 'exit_timeout', false],
  ['exit_format', 'exit_format', false],
  ['exit_forfeit', 'exit_forfeit', false],
  ['exit_api', 'exit_api', false],
  ['exit_environment_error', 'exit_environment', false],
  ['exit_command', 'exit_command', false],
  ['EXIT_ERROR', 'exit_error', false],
  ['early_exit', 'other', false],
  ['skipped (submitted)', 'other', false],
  ['', 'unknown', false],
  [null, 'unknown', false],
])('the category of %j is %s', (status, category, submitted) => {
  expect(exitCategory(status)).toBe(category)
  expect(isSubmitted(status)).toBe(submitted)
})

test.each([
  ['django__django-11066', 'django'],
  ['flask-5063', 'flask'],
  ['katy', 'katy'],
  ['', 'unknown'],
  ['__x', '__x'],
])('the repository of %j is %s', (id, repo) => expect(repoOf(id)).toBe(repo))

test('a row has exactly the columns, in their order', () => {
  expect(Object.keys(instanceRow(record()))).toEqual([...instanceColumns])
  expect(instanceColumns.join(' ')).toBe(
    'instance_id repo exit_status exit_category submitted n_turns total_cost agent_cost summary_cost rloop_cost agent_api_calls summary_api_calls rloop_api_calls raw_input_tokens cached_input_tokens output_tokens internal_reasoning_tokens cache_hit_rate summary_raw_input_tokens summary_cached_input_tokens summary_output_tokens patch_lines instance_duration_ms tokens_per_turn review_score',
  )
})

test('a row adds up its parts', () => {
  const row = instanceRow(
    record({
      exit_status: 'submitted (exit_cost)',
      n_turns: 4,
      agent: sums({
        calls: 4,
        cost_usd: 1,
        raw_input_tokens: 300,
        cached_input_tokens: 100,
        output_tokens: 50,
        reasoning_tokens: 20,
      }),
      summary: sums({ calls: 2, cost_usd: 0.25, raw_input_tokens: 7, output_tokens: 3 }),
      rloop: sums({ calls: 1, cost_usd: 0.5 }),
      steps: [step(1, 1, 1), step(1, 1, 1, { execution_ms: null })],
      review_score: 0.75,
    }),
  )
  expect(row).toMatchObject({
    ...{ exit_category: 'exit_cost', submitted: true, total_cost: 1.75, cache_hit_rate: 0.25, tokens_per_turn: 100 },
    ...{ output_tokens: 30, internal_reasoning_tokens: 20, summary_output_tokens: 3, instance_duration_ms: 10 },
    review_score: 0.75,
  })
})

test('unknown values are null, and a ratio with denominator 0 is 0 only on request', () => {
  const unknown = record({ agent: sums({ cached_input_tokens: null, cost_usd: null, raw_input_tokens: 10 }) })
  expect(instanceRow(unknown, 0)).toMatchObject({ cache_hit_rate: null, total_cost: null, tokens_per_turn: 10 })
  expect(instanceRow(record({ n_turns: 0 }))).toMatchObject({ cache_hit_rate: null, tokens_per_turn: null })
  expect(instanceRow(record({ n_turns: 0 }), 0)).toMatchObject({ cache_hit_rate: 0, tokens_per_turn: 0 })
})

test('orders instances by end, then by name', () => {
  const all = [
    record({ instance_id: 'c', ended_at: 5 }),
    record({ instance_id: 'z' }),
    record({ instance_id: 'a' }),
    record({ instance_id: 'b', ended_at: 5 }),
    record({ instance_id: 'd', ended_at: 1 }),
  ]
  const ids = (records: typeof all) => inOrder(records).map(({ instance_id }) => instance_id)
  expect(ids(all)).toEqual(['d', 'b', 'c', 'a', 'z'])
  expect(ids(all.toReversed())).toEqual(ids(all))
})
