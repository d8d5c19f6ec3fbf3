import type { Planner } from '../plan/planner.ts'
import { readExperiment } from '../record/journal/experiment-row.ts'
import type { Journal } from '../record/journal/journal.ts'
import { observationsSince } from '../record/read/observations.ts'
import { offerRuns, takePlannerLease } from '../record/work/offer.ts'
import type { Json } from '../util/json.ts'

/** Runs offered at a time: enough to keep the planner out of the way, few enough that a million-run plan stays lazy. */
const window = 500

export type Planning = 'offered' | 'nothing_new' | 'done' | 'elsewhere'

/** Asks the planner for a window of runs and writes them to the journal. Somebody else may be planning: then not. */
export function planWindow(journal: Journal, planner: Planner, workerId: number): Planning {
  if (readExperiment(journal)?.planner_done === 1) return 'done'
  if (!takePlannerLease(journal, workerId)) return 'elsewhere'
  const row = readExperiment(journal)
  if (row === undefined) return 'done'
  const news = observationsSince(journal, row.planner_seen)
  const state = planner.tell(JSON.parse(row.planner_state ?? 'null') as Json, news.observations)
  const answer = planner.ask(state, window)
  const added = offerRuns(journal, {
    workerId,
    generation: row.generation,
    proposals: typeof answer === 'string' ? [] : answer.runs,
    state: typeof answer === 'string' ? state : answer.state,
    done: answer === 'done',
    seen: news.seen,
  })
  if (answer === 'done') return 'done'
  return added > 0 || answer !== 'wait' ? 'offered' : 'nothing_new'
}
