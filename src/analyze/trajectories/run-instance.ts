import type { Observation } from '../../define/observation.ts'
import type { CallSums } from '../../models/trajectory/trajectory.ts'
import { taskOf } from '../scores/rollout.ts'
import type { InstanceRecord, StepFacts } from './instance.ts'

/**
 * A finished run of an agent as an instance, by the metrics that it reported; null: it is none. Its id is the run's task,
 * its costs are at list price, and `ended_at` is when its last attempt ended.
 */
export function runInstance(run: Observation): InstanceRecord | null {
  const { metrics, outcome, columns, ended_at } = run
  const { n_turns, patch_lines = null, review_score = null } = metrics
  if (n_turns === undefined) return null
  const told = outcome.exit_status ?? columns?.exit_status
  const exit_status = typeof told === 'string' ? told : metrics.submitted === 1 ? 'submitted' : null
  return {
    instance_id: taskOf(run),
    ...{ exit_status, n_turns, patch_lines, review_score, ended_at },
    agent: sums(metrics, 'agent', ''),
    summary: sums(metrics, 'summary', 'summary_'),
    rloop: { ...unknown, calls: metrics.rloop_api_calls ?? null, cost_usd: metrics.rloop_cost ?? null },
    steps: stepsOf(run),
  }
}

/** Whether anything is known of agents here. */
export const isAgentRun = ({ metrics }: Pick<Observation, 'metrics'>): boolean =>
  metrics.n_turns !== undefined && (metrics.total_cost !== undefined || metrics.submitted !== undefined)

const unknown: CallSums = {
  calls: null,
  cost_usd: null,
  price_usd: null,
  raw_input_tokens: null,
  cached_input_tokens: null,
  output_tokens: null,
  reasoning_tokens: null,
}

function sums(metrics: Observation['metrics'], purpose: 'agent' | 'summary', prefix: string): CallSums {
  const number = (name: string): number | null => metrics[name] ?? null
  const cost = number(`${purpose}_cost`)
  const output = number(`${prefix}output_tokens`)
  const reasoning = purpose === 'agent' ? number('internal_reasoning_tokens') : null
  return {
    calls: number(`${purpose}_api_calls`),
    ...{ cost_usd: cost, price_usd: cost },
    raw_input_tokens: number(`${prefix}raw_input_tokens`),
    cached_input_tokens: number(`${prefix}cached_input_tokens`),
    // The metric has no thoughts in it, and the sum has.
    output_tokens: output === null ? null : output + (reasoning ?? 0),
    reasoning_tokens: reasoning,
  }
}

/** The turns of a run, by its series `step/*`, whose steps are the numbers of turns from 1. */
function stepsOf({ series, metrics }: Observation): readonly StepFacts[] {
  const valuesOf = (name: string): ReadonlyMap<number, number> => {
    const found = series.find(({ metric }) => metric === `step/${name}`)
    return new Map(found?.steps.map((step, at) => [step, found.values[at] ?? 0]))
  }
  const [cost, raw, cached] = [valuesOf('cost'), valuesOf('tokens_raw_input'), valuesOf('tokens_cached_input')]
  const [out, reasoning] = [valuesOf('tokens_out'), valuesOf('tokens_internal_reasoning')]
  const [inference, execution] = [valuesOf('inference_time_ms'), valuesOf('execution_time_ms')]
  return Array.from({ length: metrics.n_turns ?? 0 }, (_, at) => {
    const step = at + 1
    const input = raw.get(step)
    const thoughts = reasoning.get(step) ?? 0
    return {
      usage:
        input === undefined
          ? null
          : {
              input_tokens: input + (cached.get(step) ?? 0),
              cached_input_tokens: cached.get(step) ?? 0,
              output_tokens: (out.get(step) ?? 0) + thoughts,
              reasoning_tokens: thoughts,
              ...{ cache_write_tokens: 0, cache_write_1h_tokens: 0 },
            },
      cost_usd: cost.get(step) ?? null,
      inference_ms: inference.get(step) ?? null,
      execution_ms: execution.get(step) ?? null,
    }
  })
}
