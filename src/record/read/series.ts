import type { OutcomeKind } from '../../define/outcome.ts'
import type { Series } from '../../define/run.ts'
import type { SeriesSoFar } from '../../plan/stoppers/registry.ts'
import type { Journal } from '../journal/journal.ts'
import { numbersIn, runIn, seriesIn } from '../journal/stored.ts'
import { isIn } from './standing.ts'

/** What runs that were settled after `seen` had reported of a metric, with the number to go on from. */
export function settledSeries(journal: Journal, metric: string, seen: number): { series: SeriesSoFar[]; seen: number } {
  const rows = journal.all<SeriesRow & { settled: number; outcome: OutcomeKind }>(
    `SELECT r.key, r.name, r.spec, r.settled, r.outcome, s.steps, s.points
     FROM runs r JOIN experiment e ON e.fingerprint = r.fingerprint JOIN series s ON s.attempt_id = r.attempt_id AND s.name = ?
     WHERE r.settled > ? AND r.state = 'finished' ORDER BY r.settled`,
    metric,
    seen,
  )
  return {
    series: rows.map(row => ({ ...soFar(row, journal), isRunning: false, isComplete: row.outcome === 'completed' })),
    seen: rows.at(-1)?.settled ?? seen,
  }
}

/** What other processes' runs have reported up to now, as far as those have written it down. */
export function seriesElsewhere(journal: Journal, metric: string, workerId: number): SeriesSoFar[] {
  const rows = journal.all<SeriesRow>(
    `SELECT r.key, r.name, r.spec, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id AND s.name = ?
     WHERE r.generation = (SELECT generation FROM experiment) AND r.state = 'running' AND a.worker_id <> ?`,
    metric,
    workerId,
  )
  return rows.map(row => ({ ...soFar(row, journal), isRunning: true, isComplete: false }))
}

/** Lets other processes see what a run of this one has reported up to now. */
export function shareSeries(
  journal: Journal,
  attempt: { readonly token: string; readonly workerId: number },
  series: { readonly metric: string; readonly steps: readonly number[]; readonly values: readonly number[] },
): void {
  journal.run(
    `INSERT OR REPLACE INTO series (attempt_id, name, steps, points)
     SELECT id, ?, ?, ? FROM attempts WHERE worker_id = ? AND ended_at IS NULL AND token = ?`,
    series.metric,
    JSON.stringify(series.steps),
    JSON.stringify(series.values),
    attempt.workerId,
    attempt.token,
  )
}

interface SeriesRow {
  readonly key: string
  readonly name: string
  readonly spec: string
  readonly steps: string
  readonly points: string
}

const soFar = (row: SeriesRow, journal: Journal) => {
  const { steps, values } = seriesIn(row, journal)
  return { run: runIn(row, journal), steps, values }
}

/** So many points of a series and no more, evenly, the first and the last always: for the eye. */
export function thinSeries(series: Series, most: number): Series {
  const count = series.values.length
  if (count <= most) return series
  const at = Array.from({ length: most }, (_, index) => Math.round((index * (count - 1)) / (most - 1)))
  const pick = (numbers: readonly number[]): number[] => at.map(index => numbers[index] ?? 0)
  return { metric: series.metric, steps: pick(series.steps), values: pick(series.values) }
}

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

/** What running runs have reported up to now, by run, as far as their processes have written it down. */
export function runningSeries(
  journal: Journal,
  { mostMetrics, mostPoints }: { readonly mostMetrics: number; readonly mostPoints: number },
): ReadonlyMap<string, readonly Series[]> {
  const rows = journal.all<{ run: string; name: string; steps: string; points: string }>(
    `SELECT r.name AS run, s.name, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id
     WHERE ${isIn('experiment', 'r')} AND r.state = 'running' AND a.ended_at IS NULL`,
  )
  const read = (row: (typeof rows)[number]): Series => thinSeries(seriesIn(row, journal), mostPoints)
  return new Map(
    [...Map.groupBy(rows, ({ run }) => run)].map(([run, own]) => [run, own.slice(0, mostMetrics).map(read)]),
  )
}
