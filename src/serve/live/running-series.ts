import type { Series } from '../../define/job.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { thinSeries } from '../../record/read/series-so-far.ts'
import { isIn } from '../../record/read/standing.ts'

/** More can't be looked at together. */
const mostMetrics = 4
const mostPoints = 120

/** What running runs have reported up to now, by run, as far as their processes have written it down. */
export function runningSeries(journal: Journal): ReadonlyMap<string, readonly Series[]> {
  const rows = journal.all<{ run: string; name: string; steps: string; points: string }>(
    `SELECT r.name AS run, s.name, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id
     WHERE ${isIn('experiment', 'r')} AND r.state = 'running' AND a.ended_at IS NULL`,
  )
  return new Map(
    [...Map.groupBy(rows, ({ run }) => run)].map(([run, own]) => [run, own.slice(0, mostMetrics).map(read)]),
  )
}

const read = ({ name, steps, points }: { name: string; steps: string; points: string }): Series =>
  thinSeries({ metric: name, steps: JSON.parse(steps) as number[], values: JSON.parse(points) as number[] }, mostPoints)
