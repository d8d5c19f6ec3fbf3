import type { CallTotals, PurposeTotals } from '../../models/model-call.ts'
import type { CallSums, Trajectory, TrajectoryAgent, TrajectoryTotals } from '../../models/trajectory/trajectory.ts'
import type { Course } from './loop/course.ts'

/** What the agent did, as it is kept. */
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

/** By purpose, as the client has counted them: failed tries and earlier attempts are in it. */
export const totalsOf = ({ by_purpose }: CallTotals): TrajectoryTotals => ({
  agent: sumsOf(by_purpose.agent),
  summary: sumsOf(by_purpose.summary),
  rloop: sumsOf(by_purpose.rloop),
})

function sumsOf(totals: PurposeTotals | undefined): CallSums {
  if (totals === undefined) return nothing
  const { calls, cached_calls, cost_usd, saved_usd, input_tokens, cached_input_tokens, output_tokens } = totals
  return {
    calls: calls + cached_calls,
    cost_usd,
    price_usd: cost_usd === null ? null : cost_usd + saved_usd,
    raw_input_tokens: input_tokens - cached_input_tokens,
    cached_input_tokens,
    output_tokens,
    reasoning_tokens: totals.reasoning_tokens,
  }
}

const nothing: CallSums = {
  calls: 0,
  cost_usd: 0,
  price_usd: 0,
  raw_input_tokens: 0,
  cached_input_tokens: 0,
  output_tokens: 0,
  reasoning_tokens: 0,
}
