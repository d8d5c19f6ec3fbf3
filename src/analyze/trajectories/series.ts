import { Aggregates, type Metrics } from './aggregates.ts'
import { type InstanceRecord, inOrder, instanceRow, type StepFacts } from './instance.ts'
import { type EmptyRatio, plus, ratio } from './ratio.ts'

/** The axis that a metric is drawn over. */
export const axisOf = (metric: string): 'global_step' | 'n_instances' =>
  /^(step$|step\/|instance\/|cumulative\/)/.test(metric) ? 'global_step' : 'n_instances'

/** A point on the axis `global_step`. */
export interface StepPoint {
  readonly global_step: number
  /** Within its instance, from 1. */
  readonly step: number
  readonly instance_id: string
  readonly metrics: Metrics
}

/** Sums of turns; the cost is null as soon as one turn did not tell, times are those that were measured. */
interface Sums {
  readonly cost: number | null
  readonly raw: number
  readonly cached: number
  readonly out: number
  readonly reasoning: number
  readonly inference: number | null
  readonly execution: number | null
  readonly calls: number
}

const nothing: Sums = { cost: 0, raw: 0, cached: 0, out: 0, reasoning: 0, inference: null, execution: null, calls: 0 }

/**
 * Every turn of every instance in order, with `step/*`, the sums of its instance so far (`instance/*`) and of all
 * (`cumulative/*`). Only the agent's turns count; one whose usage is unknown moves the axis and has no point.
 */
export function* stepSeries(records: readonly InstanceRecord[], empty: EmptyRatio = null): Generator<StepPoint> {
  let all = nothing
  let global_step = 0
  for (const { instance_id, steps } of inOrder(records)) {
    let own = nothing
    let step = 0
    for (const facts of steps) {
      global_step++
      const sums = sumsOf(facts)
      if (sums === null) continue
      step++
      own = added(own, sums)
      all = added(all, sums)
      const metrics: Metrics = {
        step,
        ...named('step', sums, empty),
        ...named('instance', own, empty),
        'instance/api_calls': own.calls,
        ...named('cumulative', all, empty),
        'cumulative/api_calls': all.calls,
      }
      yield { global_step, step, instance_id, metrics }
    }
  }
}

/** After each instance, in order: everything on the axis `n_instances`. */
export function* instanceSeries(records: readonly InstanceRecord[], empty: EmptyRatio = null): Generator<Metrics> {
  const aggregates = new Aggregates(empty)
  for (const record of inOrder(records)) {
    aggregates.add(instanceRow(record, empty))
    yield aggregates.metrics()
  }
}

function sumsOf({ usage, cost_usd, inference_ms, execution_ms }: StepFacts): Sums | null {
  if (usage === null) return null
  return {
    cost: cost_usd,
    raw: usage.input_tokens - usage.cached_input_tokens,
    cached: usage.cached_input_tokens,
    out: usage.output_tokens - usage.reasoning_tokens,
    reasoning: usage.reasoning_tokens,
    inference: inference_ms,
    execution: execution_ms,
    calls: 1,
  }
}

const added = (a: Sums, b: Sums): Sums => ({
  cost: plus(a.cost, b.cost),
  raw: a.raw + b.raw,
  cached: a.cached + b.cached,
  out: a.out + b.out,
  reasoning: a.reasoning + b.reasoning,
  inference: measured(a.inference, b.inference),
  execution: measured(a.execution, b.execution),
  calls: a.calls + b.calls,
})

/** A turn without tools took no time in them. */
const measured = (a: number | null, b: number | null): number | null =>
  a === null && b === null ? null : (a ?? 0) + (b ?? 0)

const named = (place: 'step' | 'instance' | 'cumulative', sums: Sums, empty: EmptyRatio): Metrics => ({
  [`${place}/cost`]: sums.cost,
  [`${place}/tokens_in`]: sums.raw + sums.cached,
  [`${place}/tokens_out`]: sums.out,
  [`${place}/tokens_raw_input`]: sums.raw,
  [`${place}/tokens_cached_input`]: sums.cached,
  [`${place}/tokens_internal_reasoning`]: sums.reasoning,
  [`${place}/inference_time_ms`]: sums.inference,
  [`${place}/execution_time_ms`]: sums.execution,
  [`${place}/cache_hit_rate`]: ratio(sums.cached, sums.raw + sums.cached, empty),
})
