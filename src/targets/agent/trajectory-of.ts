import type { CallTotals, PurposeTotals } from '../../models/model-call.ts'
import type { CallSums, Trajectory, TrajectoryAgent, TrajectoryTotals } from '../../models/trajectory/trajectory.ts'
import type { Course } from './loop/course.ts'

/** The agent's work, in the form that is stored. */
export function trajectoryOf(
  course: Course,
  about: Pick<Trajectory, 'id' | 'exit_status' | 'submission' | 'review_score'> & {
    readonly agent: TrajectoryAgent
    readonly totals: TrajectoryTotals
  },
): Trajectory {
  return {
    ...about,
    recorded_by: 'assay',
    history: course.messages,
    turns: course.turns,
    summaries: course.summaries.map(summary => ({ ...summary, ...course.turnsOf(summary) })),
    notes: [],
  }
}

/** Calls by purpose, as the client has counted them since `before`: failed tries are in it. */
export function totalsOf(after: CallTotals, before?: CallTotals): TrajectoryTotals {
  const of = (purpose: string): CallSums => sumsOf(after.by_purpose[purpose], before?.by_purpose[purpose])
  return { agent: of('agent'), summary: of('summary'), rloop: of('rloop') }
}

function sumsOf(after: PurposeTotals | undefined, before: PurposeTotals | undefined): CallSums {
  const grown = (name: Exclude<keyof PurposeTotals, 'cost_usd' | 'price_usd' | 'cache_write_1h_tokens'>): number =>
    (after?.[name] ?? 0) - (before?.[name] ?? 0)
  const money = (name: 'cost_usd' | 'price_usd'): number | null =>
    after?.[name] === null ? null : (after?.[name] ?? 0) - (before?.[name] ?? 0)
  return {
    calls: grown('calls') + grown('cached_calls'),
    cost_usd: money('cost_usd'),
    price_usd: money('price_usd'),
    raw_input_tokens: grown('input_tokens') - grown('cached_input_tokens'),
    cached_input_tokens: grown('cached_input_tokens'),
    output_tokens: grown('output_tokens'),
    reasoning_tokens: grown('reasoning_tokens'),
  }
}

/** The work on several steps, one after the other, as one. */
export function joinTrajectories(all: readonly Trajectory[], totals: TrajectoryTotals): Trajectory | null {
  const [first, ...others] = all
  if (first === undefined) return null
  return { ...others.reduce(joinTwo, first), totals }
}

function joinTwo(a: Trajectory, b: Trajectory): Trajectory {
  const messages = a.history.length
  const shifted = b.turns.map(turn => ({
    ...turn,
    from: turn.from + messages,
    to: turn.to + messages,
    prompt:
      turn.prompt?.map(part => {
        if ('from' in part) return { ...part, from: part.from + messages, to: part.to + messages }
        return 'summary' in part ? { summary: part.summary + a.summaries.length } : part
      }) ?? null,
  }))
  const turns = a.turns.length
  const summaries = b.summaries.map(summary => ({ ...summary, from: summary.from + turns, to: summary.to + turns }))
  return {
    ...b,
    history: [...a.history, ...b.history],
    turns: [...a.turns, ...shifted],
    summaries: [...a.summaries, ...summaries],
    submission: a.submission === null || b.submission === null ? b.submission : a.submission + b.submission,
    notes: [...a.notes, ...b.notes],
    ...((a.subagents ?? b.subagents) !== undefined && { subagents: [...(a.subagents ?? []), ...(b.subagents ?? [])] }),
  }
}
