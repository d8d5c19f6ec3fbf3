import { join } from 'node:path'
import type { Series } from '../../define/job.ts'
import { MetricsFile } from '../../perform/metrics-file.ts'
import { Reported } from '../../perform/reported.ts'
import type { Journal } from '../../record/journal/journal.ts'
import type { RunningRun } from '../wire.ts'

/** More can't be looked at together. */
const mostMetrics = 4
const mostPoints = 120

interface Follow {
  readonly file: MetricsFile
  readonly reported: Reported
}

/**
 * What running runs have reported up to now: out of the journal where their process writes it down, otherwise out of the
 * file that a program reports in, which is read on from where it was left.
 */
export class RunningSeries {
  readonly #dir: string
  readonly #follows = new Map<string, Follow>()

  constructor(dir: string) {
    this.#dir = dir
  }

  read(journal: Journal, running: readonly RunningRun[]): ReadonlyMap<string, readonly Series[]> {
    const shared = sharedSeries(journal)
    const names = new Set(running.map(keyOf))
    for (const key of this.#follows.keys()) if (!names.has(key)) this.#follows.delete(key)
    return new Map(
      running.map(run => {
        const own = shared.get(run.run) ?? []
        const written = this.#written(run).filter(({ metric }) => !own.some(one => one.metric === metric))
        return [run.run, [...own, ...written].slice(0, mostMetrics).map(thinned)]
      }),
    )
  }

  #written(run: RunningRun): readonly Series[] {
    const follow = this.#follows.get(keyOf(run)) ?? this.#start(run)
    follow.file.readOn()
    return follow.reported.series()
  }

  #start(run: RunningRun): Follow {
    const reported = new Reported()
    const file = new MetricsFile(join(this.#dir, 'runs', run.run), {
      report: point => reported.add(point),
      problem: () => {},
    })
    const follow = { file, reported }
    this.#follows.set(keyOf(run), follow)
    return follow
  }
}

const keyOf = ({ run, attempt }: RunningRun): string => `${attempt} ${run}`

function sharedSeries(journal: Journal): ReadonlyMap<string, readonly Series[]> {
  const rows = journal.all<{ run: string; name: string; steps: string; points: string }>(
    `SELECT r.name AS run, s.name, s.steps, s.points
     FROM runs r JOIN attempts a ON a.id = r.attempt_id JOIN series s ON s.attempt_id = a.id
     WHERE r.generation = (SELECT generation FROM experiment) AND r.state = 'running' AND a.ended_at IS NULL`,
  )
  const series = rows.map(({ run, name, steps, points }) => ({
    run,
    series: { metric: name, steps: JSON.parse(steps) as number[], values: JSON.parse(points) as number[] },
  }))
  return new Map(
    [...Map.groupBy(series, ({ run }) => run)].map(([run, own]) => [run, own.map(one => one.series)] as const),
  )
}

/** Evenly, the last point always: a small chart has no room for more. */
function thinned(series: Series): Series {
  const count = series.values.length
  if (count <= mostPoints) return series
  const at = Array.from({ length: mostPoints }, (_, index) => Math.round((index * (count - 1)) / (mostPoints - 1)))
  const pick = (numbers: readonly number[]): number[] => at.map(index => numbers[index] ?? 0)
  return { metric: series.metric, steps: pick(series.steps), values: pick(series.values) }
}
