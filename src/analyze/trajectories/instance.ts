import type { Observation } from '../../define/observation.ts'
import { type CallSums, type Trajectory, type Turn, unknownCalls } from '../../models/trajectory/trajectory.ts'
import { taskOf } from '../scores/scores.ts'

/** An agent's work on one instance, as far as metrics need it: from a file, or from a run in a journal. Plain data. */
export interface InstanceRecord {
  readonly instance_id: string
  readonly exit_status: string | null
  readonly n_turns: number
  readonly agent: CallSums
  readonly summary: CallSums
  readonly rloop: CallSums
  /** Lines of the patch that are not blank; null: it is unknown whether there is one. */
  readonly patch_lines: number | null
  readonly review_score: number | null
  /** In the order in which they were made. */
  readonly steps: readonly StepFacts[]
  /** Of attempts that were not submitted, and of agents that it started: their calls are in the sums. */
  readonly others?: readonly StepFacts[] | undefined
  /** Milliseconds since 1970; null: unknown. Determines the order of instances. */
  readonly ended_at: number | null
}

/** The usage, cost and times of one turn; its cost is at list price if that is known. */
export type StepFacts = Pick<Turn, 'usage' | 'cost_usd' | 'inference_ms' | 'execution_ms'>

export function instanceRecord(trajectory: Trajectory, ended_at: number | null = null): InstanceRecord {
  const { id, task, exit_status, turns, totals, review_score } = trajectory
  return {
    ...{ instance_id: task ?? id, exit_status, n_turns: turns.length, review_score },
    ...{ agent: atListPrice(totals.agent), summary: atListPrice(totals.summary), rloop: atListPrice(totals.rloop) },
    patch_lines: patchLines(trajectory),
    ...{ steps: turns.map(atListPrice), others: turnsOfOthers(trajectory), ended_at },
  }
}

const turnsOfOthers = ({ subagents = [] }: Trajectory): readonly StepFacts[] =>
  subagents.flatMap(one => [...one.turns, ...turnsOfOthers(one)])

/**
 * Cached answers cost nothing here, and would make a variant look cheap. Other programs only record the amount paid.
 */
const atListPrice = <T extends Pick<CallSums, 'cost_usd' | 'price_usd'>>(of: T): T => ({
  ...of,
  cost_usd: of.price_usd ?? of.cost_usd,
})

/** ATIF has no place for a patch; in all other files a missing patch means there was none. */
function patchLines({ submission, recorded_by }: Trajectory): number | null {
  if (submission === null) return recorded_by === 'atif' ? null : 0
  return submission.split(/\r\n|\r|\n/).filter(line => line.trim() !== '').length
}

/** The columns of `instances.csv`, in their order. */
export const instanceColumns = [
  'instance_id',
  'repo',
  'exit_status',
  'exit_category',
  'submitted',
  'n_turns',
  'total_cost',
  'agent_cost',
  'summary_cost',
  'rloop_cost',
  'agent_api_calls',
  'summary_api_calls',
  'rloop_api_calls',
  'raw_input_tokens',
  'cached_input_tokens',
  'output_tokens',
  'internal_reasoning_tokens',
  'cache_hit_rate',
  'summary_raw_input_tokens',
  'summary_cached_input_tokens',
  'summary_output_tokens',
  'patch_lines',
  'instance_duration_ms',
  'tokens_per_turn',
  'review_score',
] as const

type TextColumn = 'instance_id' | 'repo' | 'exit_status' | 'exit_category'
type NumberColumn = Exclude<(typeof instanceColumns)[number], TextColumn | 'submitted'>

/** null: the number is unknown. */
export type InstanceRow = { readonly [column in NumberColumn]: number | null } & {
  readonly instance_id: string
  readonly repo: string
  readonly exit_status: string
  readonly exit_category: ExitCategory
  readonly submitted: boolean
}

/** The row of one instance in the table `instances`. Tokens of thoughts have a column of their own and are not in the output's. */
export function instanceRow(record: InstanceRecord, empty: EmptyRatio = null): InstanceRow {
  const { instance_id, exit_status, n_turns, agent, summary, rloop, review_score, others = [] } = record
  const input = plus(agent.raw_input_tokens, agent.cached_input_tokens ?? 0)
  return {
    instance_id,
    repo: repoOf(instance_id),
    exit_status: exit_status ?? 'unknown',
    exit_category: exitCategory(exit_status),
    submitted: isSubmitted(exit_status),
    n_turns,
    total_cost: plus(agent.cost_usd, summary.cost_usd, rloop.cost_usd),
    agent_cost: agent.cost_usd,
    summary_cost: summary.cost_usd,
    rloop_cost: rloop.cost_usd,
    agent_api_calls: agent.calls,
    summary_api_calls: summary.calls,
    rloop_api_calls: rloop.calls,
    raw_input_tokens: agent.raw_input_tokens,
    cached_input_tokens: agent.cached_input_tokens,
    output_tokens: withoutThoughts(agent),
    internal_reasoning_tokens: agent.reasoning_tokens,
    cache_hit_rate: ratio(agent.cached_input_tokens, input, empty),
    summary_raw_input_tokens: summary.raw_input_tokens,
    summary_cached_input_tokens: summary.cached_input_tokens,
    summary_output_tokens: withoutThoughts(summary),
    patch_lines: record.patch_lines,
    instance_duration_ms: durationMs([...record.steps, ...others]),
    tokens_per_turn: ratio(input, n_turns + others.length, empty),
    review_score,
  }
}

/** `django` of `django__django-11066`; without underscores, the part before the first dash. */
export function repoOf(instanceId: string): string {
  if (instanceId === '') return 'unknown'
  const [start = ''] = instanceId.includes('__') ? instanceId.split('__') : instanceId.split('-')
  return start === '' ? instanceId : start
}

const withoutThoughts = ({ output_tokens, reasoning_tokens }: CallSums): number | null =>
  output_tokens === null ? null : output_tokens - (reasoning_tokens ?? 0)

/** Of the tools alone, as far as measured; null: never measured. */
function durationMs(steps: readonly StepFacts[]): number | null {
  const known = steps.flatMap(({ execution_ms }) => execution_ms ?? [])
  return known.length === 0 && steps.length > 0 ? null : known.reduce((sum, ms) => sum + ms, 0)
}

/**
 * By end time; instances without one come last, by name. So the order is the same after a resume, and for any
 * concurrency.
 */
export function inOrder<T extends Pick<InstanceRecord, 'instance_id' | 'ended_at'>>(
  records: readonly T[],
): readonly T[] {
  const time = ({ ended_at }: T): number => ended_at ?? Number.POSITIVE_INFINITY
  return records.toSorted((a, b) => {
    const [first, second] = [time(a), time(b)]
    if (first !== second) return first < second ? -1 : 1
    return a.instance_id < b.instance_id ? -1 : a.instance_id > b.instance_id ? 1 : 0
  })
}

/**
 * A finished run of an agent as an instance, by the metrics that it reported; null: it is none. Its id is the run's
 * task, its costs are at list price, and `ended_at` is the end of its last attempt.
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
    rloop: { ...unknownCalls, calls: metrics.rloop_api_calls ?? null, cost_usd: metrics.rloop_cost ?? null },
    steps: stepsOf(run),
  }
}

/** Whether the run has metrics of an agent. */
export const isAgentRun = ({ metrics }: Pick<Observation, 'metrics'>): boolean =>
  metrics.n_turns !== undefined && (metrics.total_cost !== undefined || metrics.submitted !== undefined)

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
    // The metric excludes thoughts, the sum includes them.
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

/** Why an agent's work ended, in the order in which a status is tested for them. */
export const exitCategories = [
  'submitted',
  'exit_cost',
  'exit_context',
  'exit_timeout',
  'exit_format',
  'exit_forfeit',
  'exit_api',
  'exit_environment',
  'exit_command',
  'exit_error',
  'other',
  'unknown',
] as const
export type ExitCategory = (typeof exitCategories)[number]

/** The first of these words found in a status decides: `exit_command_timeout` is a timeout. */
const words: readonly (readonly [string, ExitCategory])[] = [
  ['cost', 'exit_cost'],
  ['context', 'exit_context'],
  ['timeout', 'exit_timeout'],
  ['execution_time', 'exit_timeout'],
  ['format', 'exit_format'],
  ['forfeit', 'exit_forfeit'],
  ['api', 'exit_api'],
  ['environment', 'exit_environment'],
  ['command', 'exit_command'],
  ['error', 'exit_error'],
]

/** For `submitted (exit_cost)` the reason in parentheses: the patch was submitted because the money was used up. */
export function exitCategory(status: string | null): ExitCategory {
  const text = (status ?? '').trim().toLowerCase()
  if (text === '') return 'unknown'
  if (text.startsWith('submitted')) {
    const [, reason] = /\((.*)\)/s.exec(text) ?? []
    return reason === undefined ? 'submitted' : exitCategory(reason)
  }
  return words.find(([word]) => text.includes(word))?.[1] ?? 'other'
}

/** Whether a patch was submitted, for any reason. */
export const isSubmitted = (status: string | null): boolean =>
  (status ?? '').trim().toLowerCase().startsWith('submitted')

/** The value of 0 / 0: `0` in the files of SWE-agent's hooks, null everywhere else. */
export type EmptyRatio = 0 | null

/** null if a part is unknown. */
export function ratio(part: number | null, whole: number | null, empty: EmptyRatio): number | null {
  if (part === null || whole === null) return null
  return whole === 0 ? empty : part / whole
}

/** null if one of them is unknown. */
export const plus = (...values: readonly (number | null)[]): number | null =>
  values.reduce<number | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0)
