import type { Trajectory, Turn } from '../../../src/models/trajectory/trajectory.ts'
import { unknownCalls } from '../../../src/models/trajectory/trajectory.ts'
import { historyOf, type PlannedTurn } from '../../targets/agent/strategies/histories.ts'

/** A recorded work of these turns, without counts of a provider. */
export function trajectoryOf(planned: readonly PlannedTurn[], id = 'one'): Trajectory {
  const { messages, turns } = historyOf(planned)
  const nothing = {
    prompt: null,
    usage: null,
    cost_usd: null,
    price_usd: null,
    inference_ms: null,
    execution_ms: null,
    started_at: null,
  }
  return {
    id,
    recorded_by: 'assay',
    agent: { name: 'assay', version: null, model: null, tools: [], strategy: null },
    history: messages,
    turns: turns.flatMap(({ from, to }, at): readonly Turn[] => [
      ...(planned[at]?.isAskedAgain === true ? [{ ...nothing, kind: 'again' as const, from: from - 2, to: from }] : []),
      { ...nothing, kind: 'turn', from, to },
    ]),
    summaries: [],
    exit_status: 'submitted',
    submission: null,
    review_score: null,
    totals: { agent: unknownCalls, summary: unknownCalls, rloop: unknownCalls },
    notes: [],
  }
}
