import type { JsonObject } from '../../util/json.ts'
import type { Journal } from '../journal/journal.ts'
import { numbersIn, objectIn } from '../journal/stored.ts'
import { isIn } from './standing.ts'

/** What every attempt has cost, by its token: copies of an experiment have the same tokens. */
export function costsByToken(journal: Journal): ReadonlyMap<string, number> {
  const rows = journal.all<{ token: string; usd: number | null }>('SELECT token, cost_usd AS usd FROM attempts')
  return new Map(rows.map(({ token, usd }) => [token, usd ?? 0]))
}

/** What each process that worked on the experiment noted about itself and its surroundings. */
export const provenanceOfProcesses = (journal: Journal): readonly JsonObject[] =>
  journal
    .all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
    .map(({ facts }) => objectIn(facts, 'provenance.facts', journal))

/** Every value that was reported at a step, in the order of the plan and of the reports. */
export function* reportedPoints(
  journal: Journal,
): Generator<{ readonly run: string; readonly metric: string; readonly step: number; readonly value: number | null }> {
  const stored = journal.iterate<{ name: string; metric: string; steps: string; points: string }>(
    `SELECT r.name, s.name AS metric, s.steps, s.points FROM runs r JOIN series s ON s.attempt_id = r.attempt_id
     ORDER BY r.id, s.name`,
  )
  for (const { name, metric, steps, points } of stored) {
    const values = numbersIn(points, 'series.points', journal)
    for (const [index, step] of numbersIn(steps, 'series.steps', journal).entries())
      yield { run: name, metric, step, value: values[index] ?? null }
  }
}

/** Whether any run has reported a number. */
export const hasMetrics = (journal: Journal): boolean => journal.get('SELECT 1 FROM metrics LIMIT 1') !== undefined

/** The completed run of the experiment with the best value; null: none has one. */
export function bestRun(
  journal: Journal,
  metric: string,
  goal: 'minimize' | 'maximize',
): { readonly value: number; readonly run: string } | null {
  const found = journal.get<{ value: number; run: string }>(
    `SELECT m.value, r.name AS run FROM metrics m JOIN runs r ON r.attempt_id = m.attempt_id
     WHERE m.name = ? AND m.value IS NOT NULL AND r.state = 'finished' AND r.outcome = 'completed'
       AND ${isIn('experiment', 'r')}
     ORDER BY m.value ${goal === 'minimize' ? 'ASC' : 'DESC'} LIMIT 1`,
    metric,
  )
  return found ?? null
}
