import {
  type EmptyRatio,
  type ExitCategory,
  exitCategories,
  type InstanceRecord,
  type InstanceRow,
  inOrder,
  plus,
  ratio,
  type StepFacts,
} from './instance.ts'

/** The names under which sums of rows are logged. */
const totals = {
  total_cost: 'total_cost',
  total_agent_cost: 'agent_cost',
  total_summary_cost: 'summary_cost',
  total_rloop_cost: 'rloop_cost',
  total_turns: 'n_turns',
  total_api_calls: 'agent_api_calls',
  total_summary_api_calls: 'summary_api_calls',
  total_rloop_api_calls: 'rloop_api_calls',
  total_raw_input_tokens: 'raw_input_tokens',
  total_cached_input_tokens: 'cached_input_tokens',
  total_output_tokens: 'output_tokens',
  total_internal_reasoning_tokens: 'internal_reasoning_tokens',
  total_summary_raw_input_tokens: 'summary_raw_input_tokens',
  total_summary_cached_input_tokens: 'summary_cached_input_tokens',
  total_summary_output_tokens: 'summary_output_tokens',
  total_patch_lines: 'patch_lines',
  total_duration_ms: 'instance_duration_ms',
} as const satisfies Record<string, keyof InstanceRow>

type Total = keyof typeof totals
const totalNames = Object.keys(totals) as readonly Total[]

/** Metrics by name; null: a part of it is unknown. */
export interface Metrics {
  readonly [metric: string]: number | null
}

/**
 * Running totals over instances: add rows one by one, read at any time. Memory grows by one number per instance, which
 * the median needs.
 */
export class Aggregates {
  readonly #empty: EmptyRatio
  readonly #sums = new Map<Total, number | null>(totalNames.map(name => [name, 0]))
  readonly #exits = new Map<ExitCategory, number>()
  readonly #repos = new Map<string, number>()
  /** Sorted. */
  readonly #turns: number[] = []
  /** The mean number of turns, and the sum of squared distances from it (Welford 1962). */
  #mean = 0
  #squares = 0
  /** Including attempts that a reviewer did not choose: their tokens count, too. */
  #turnsOfAll = 0
  #submitted = 0

  constructor(empty: EmptyRatio = null) {
    this.#empty = empty
  }

  add(row: InstanceRow): void {
    for (const name of totalNames) this.#sums.set(name, plus(this.#sum(name), row[totals[name]]))
    if (row.submitted) this.#submitted++
    this.#exits.set(row.exit_category, (this.#exits.get(row.exit_category) ?? 0) + 1)
    this.#repos.set(row.repo, (this.#repos.get(row.repo) ?? 0) + 1)
    this.#turnsOfAll += turnsBehind(row)
    if (row.n_turns === null) return
    this.#turns.splice(placeIn(this.#turns, row.n_turns), 0, row.n_turns)
    const distance = row.n_turns - this.#mean
    this.#mean += distance / this.#turns.length
    this.#squares += distance * (row.n_turns - this.#mean)
  }

  /** The metrics logged after an instance, on the axis `n_instances`. */
  metrics(): Metrics {
    const n = this.#turns.length
    const share = (part: number | null, whole: number | null): number | null => ratio(part, whole, this.#empty)
    const sum = (name: Total): number | null => this.#sum(name)
    const input = plus(sum('total_raw_input_tokens'), sum('total_cached_input_tokens') ?? 0)
    return {
      n_instances: n,
      n_submitted: this.#submitted,
      ...Object.fromEntries(this.#sums),
      ...Object.fromEntries(this.exits().map(([category, count]) => [`exit/${category}`, count])),
      ...Object.fromEntries([...this.#repos].sort(byName).map(([repo, count]) => [`repo/${repo}`, count])),
      submission_rate: share(this.#submitted, n),
      cache_hit_rate: share(sum('total_cached_input_tokens'), input),
      avg_cost: share(sum('total_cost'), n),
      avg_turns: share(sum('total_turns'), n),
      avg_api_calls: share(sum('total_api_calls'), n),
      avg_patch_lines: share(sum('total_patch_lines'), n),
      avg_duration_ms: share(sum('total_duration_ms'), n),
      avg_tokens_per_turn: share(input, this.#turnsOfAll),
      summary_cost_fraction: share(sum('total_summary_cost'), sum('total_cost')),
      rloop_cost_fraction: share(sum('total_rloop_cost'), sum('total_cost')),
      // 0 for a single one, as the hook logs it.
      turn_std: n < 2 ? 0 : Math.sqrt(this.#squares / (n - 1)),
      turn_median: median(this.#turns) ?? this.#empty,
      turn_min: this.#turns[0] ?? this.#empty,
      turn_max: this.#turns.at(-1) ?? this.#empty,
    }
  }

  /** The same at the end, with the shares of calls. */
  summary(): Metrics {
    const calls = plus(
      this.#sum('total_api_calls'),
      this.#sum('total_summary_api_calls'),
      this.#sum('total_rloop_api_calls'),
    )
    return {
      ...this.metrics(),
      summary_api_fraction: ratio(this.#sum('total_summary_api_calls'), calls, this.#empty),
      rloop_api_fraction: ratio(this.#sum('total_rloop_api_calls'), calls, this.#empty),
    }
  }

  /** The number of instances for each exit status; only those that occurred. */
  exits(): readonly (readonly [ExitCategory, number])[] {
    return exitCategories.flatMap(category => {
      const count = this.#exits.get(category)
      return count === undefined ? [] : [[category, count] as const]
    })
  }

  /** The histogram `turn_distribution`: equal bins from the fewest turns to the most; `bins` are their edges. */
  turnDistribution(): { readonly values: readonly number[]; readonly bins: readonly number[] } {
    const [low, high] = rangeOf(this.#turns)
    const width = (high - low) / binCount
    const values = Array.from({ length: binCount }, () => 0)
    for (const turns of this.#turns) {
      const bin = Math.min(binCount - 1, Math.floor((turns - low) / width))
      values[bin] = (values[bin] ?? 0) + 1
    }
    return { values, bins: Array.from({ length: binCount + 1 }, (_, at) => low + at * width) }
  }

  #sum(name: Total): number | null {
    return this.#sums.get(name) ?? null
  }
}

/** A row has the turns of the chosen attempt, and tokens for each turn of all attempts. */
function turnsBehind({ raw_input_tokens, cached_input_tokens, tokens_per_turn, n_turns }: InstanceRow): number {
  const input = (raw_input_tokens ?? 0) + (cached_input_tokens ?? 0)
  return input > 0 && tokens_per_turn ? Math.round(input / tokens_per_turn) : (n_turns ?? 0)
}

/** As W&B draws histograms. */
const binCount = 64

/** As numpy does for an empty range. */
function rangeOf(sorted: readonly number[]): readonly [number, number] {
  const [low, high] = [sorted[0] ?? 0, sorted.at(-1) ?? 1]
  return low === high ? [low - 0.5, high + 0.5] : [low, high]
}

const byName = ([a]: readonly [string, number], [b]: readonly [string, number]): number => (a < b ? -1 : 1)

function placeIn(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}

function median(sorted: readonly number[]): number | null {
  const middle = sorted.length >> 1
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** A point on the axis `global_step`. */
export interface StepPoint {
  readonly global_step: number
  /** Within its instance, from 1. */
  readonly step: number
  readonly instance_id: string
  readonly metrics: Metrics
}

/** Sums over turns; the cost is null if one turn did not report it, times are the measured ones. */
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
 * (`cumulative/*`). Only the agent's turns count; a turn with unknown usage moves the axis and has no point.
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

/** A turn without tool calls took no tool time. */
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
