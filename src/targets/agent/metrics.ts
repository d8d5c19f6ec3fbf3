import type { Point } from '../../define/target.ts'
import type { CallSums, Trajectory, Turn } from '../../models/trajectory/trajectory.ts'

/** What a turn used, under the names that the paper's sweeps log; `step` is the number of the turn in the run, from 1. */
export function stepPoints({ usage, price_usd, inference_ms, execution_ms }: Turn, step: number): readonly Point[] {
  const values: readonly (readonly [string, number | null])[] = [
    ['step/cost', price_usd],
    ...(usage === null
      ? []
      : ([
          ['step/tokens_in', usage.input_tokens],
          // Thoughts have a metric of their own.
          ['step/tokens_out', usage.output_tokens - usage.reasoning_tokens],
          ['step/tokens_raw_input', usage.input_tokens - usage.cached_input_tokens],
          ['step/tokens_cached_input', usage.cached_input_tokens],
          ['step/tokens_internal_reasoning', usage.reasoning_tokens],
          ['step/cache_hit_rate', rate(usage.cached_input_tokens, usage.input_tokens)],
        ] as const)),
    ['step/inference_time_ms', inference_ms],
    ['step/execution_time_ms', execution_ms],
  ]
  return values.flatMap(([metric, value]) => (value === null ? [] : [{ metric, value, step }]))
}

/** What the whole work used; unknown values are left out. */
export function runMetrics(trajectory: Trajectory): Readonly<Record<string, number>> {
  const { turns, totals, exit_status, submission, review_score, subagents = [] } = trajectory
  const allTurns = [trajectory, ...subagents].flatMap(one => one.turns)
  const { agent, summary, rloop } = totals
  const input = sum(agent.raw_input_tokens, agent.cached_input_tokens)
  const values: { readonly [name: string]: number | null } = {
    n_turns: turns.length,
    n_attempts: subagents.length + 1,
    submitted: exit_status === null ? null : Number(exit_status.startsWith('submitted')),
    total_cost: sum(agent.price_usd, summary.price_usd, rloop.price_usd),
    ...costs({ agent, summary, rloop }),
    raw_input_tokens: agent.raw_input_tokens,
    cached_input_tokens: agent.cached_input_tokens,
    output_tokens: withoutThoughts(agent),
    internal_reasoning_tokens: agent.reasoning_tokens,
    cache_hit_rate: input === null ? null : rate(agent.cached_input_tokens ?? 0, input),
    summary_raw_input_tokens: summary.raw_input_tokens,
    summary_cached_input_tokens: summary.cached_input_tokens,
    summary_output_tokens: withoutThoughts(summary),
    n_summaries: trajectory.summaries.length,
    patch_lines: patchLines(submission ?? ''),
    instance_duration_ms: allTurns.reduce((all, { execution_ms }) => all + (execution_ms ?? 0), 0),
    inference_time_ms: allTurns.reduce((all, { inference_ms }) => all + (inference_ms ?? 0), 0),
    tokens_per_turn: input === null ? null : rate(input, allTurns.length),
    review_score,
  }
  return Object.fromEntries(Object.entries(values).filter((one): one is [string, number] => one[1] !== null))
}

/** As SWE-agent counts: reasoning tokens are separate. */
const withoutThoughts = ({ output_tokens, reasoning_tokens }: CallSums): number | null =>
  output_tokens === null ? null : output_tokens - (reasoning_tokens ?? 0)

const costs = (sums: { readonly [purpose: string]: CallSums }): Readonly<Record<string, number | null>> =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([purpose, { price_usd, calls }]) => [
      [`${purpose}_cost`, price_usd],
      [`${purpose}_api_calls`, calls],
    ]),
  )

const sum = (...parts: readonly (number | null)[]): number | null =>
  parts.reduce((all, part) => (all === null || part === null ? null : all + part), 0)

/** 0 if the whole is 0, as in the sweeps of the paper. */
const rate = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** Lines with something on them. */
const patchLines = (patch: string): number => patch.split('\n').filter(line => line.trim() !== '').length
