import type { CallSums, Trajectory, Turn } from '../../models/trajectory/trajectory.ts'
import { type ExitCategory, exitCategory, isSubmitted } from './exit-category.ts'
import { type EmptyRatio, plus, ratio } from './ratio.ts'

/** One agent's work on one instance, as far as metrics need it: of a file, or of a run in a journal. Plain data. */
export interface InstanceRecord {
  readonly instance_id: string
  readonly exit_status: string | null
  readonly n_turns: number
  readonly agent: CallSums
  readonly summary: CallSums
  readonly rloop: CallSums
  /** Lines of the patch that are not blank; null: nobody knows whether there is one. */
  readonly patch_lines: number | null
  readonly review_score: number | null
  /** In the order in which they were made. */
  readonly steps: readonly StepFacts[]
  /** Of attempts that were not handed in, and of agents that it started: their calls are in the sums. */
  readonly others?: readonly StepFacts[] | undefined
  /** Milliseconds since 1970; null: not known. Decides the order of instances. */
  readonly ended_at: number | null
}

/** What one turn took; its cost is at list price where that is known. */
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

/** Answers that assay had kept cost nothing here, and would make a variant look cheap. Other programs know only what was paid. */
const atListPrice = <T extends Pick<CallSums, 'cost_usd' | 'price_usd'>>(of: T): T => ({
  ...of,
  cost_usd: of.price_usd ?? of.cost_usd,
})

/** ATIF has no place for a patch; in all other files none means none. */
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

/** null: the number is not known. */
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

/** `django` of `django__django-11066`; before the first dash where there are no underscores. */
export function repoOf(instanceId: string): string {
  if (instanceId === '') return 'unknown'
  const [start = ''] = instanceId.includes('__') ? instanceId.split('__') : instanceId.split('-')
  return start === '' ? instanceId : start
}

const withoutThoughts = ({ output_tokens, reasoning_tokens }: CallSums): number | null =>
  output_tokens === null ? null : output_tokens - (reasoning_tokens ?? 0)

/** Of the tools alone, as far as it was measured; null: it was never. */
function durationMs(steps: readonly StepFacts[]): number | null {
  const known = steps.flatMap(({ execution_ms }) => execution_ms ?? [])
  return known.length === 0 && steps.length > 0 ? null : known.reduce((sum, ms) => sum + ms, 0)
}

/** Instances as they ended; those that do not say come last, by their names. So it is the same after a resume, and whatever ran at once. */
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
