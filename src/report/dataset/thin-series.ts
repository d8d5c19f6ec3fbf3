import { defaultSummary, type Reading, wordsFor } from '../../analyze/reading.ts'
import type { Series } from '../../define/job.ts'
import type { EvidenceRun } from '../../plan/evidence.ts'
import { reduceSeries } from '../../stats/curves/reduce-series.ts'
import { isAvailable } from '../../stats/outcome.ts'
import type { RunFacts } from './dataset.ts'

/** More points than this would make most of the file; a curve is drawn with a few hundred. */
const mostPoints = 60_000
const fewestPoints = 8

export interface Thinned {
  readonly runs: readonly EvidenceRun[]
  /** By run, in the same order. */
  readonly reduced: readonly RunFacts['reduced'][]
  /** At most so many points are left of each series; null: all of them. */
  readonly points: number | null
}

/**
 * Runs with shorter series, if they have too many points together. What analysis makes of a whole series is computed
 * first and kept: thinning changes pictures a little and numbers not at all.
 */
export function thinSeries(runs: readonly EvidenceRun[]): Thinned {
  const all = runs.flatMap(run => run.series)
  const total = all.reduce((sum, { values }) => sum + values.length, 0)
  if (total <= mostPoints) return { runs, reduced: runs.map(() => ({})), points: null }
  const points = Math.max(fewestPoints, Math.floor(mostPoints / all.length))
  return {
    runs: runs.map(run => ({ ...run, series: run.series.map(series => thinned(series, points)) })),
    reduced: runs.map(run => Object.fromEntries(run.series.flatMap(reductionsOf))),
    points,
  }
}

/** Where a number is kept that a whole series was reduced to. */
export const reducedKey = (metric: string, kind: 'auc' | 'slope'): string => `${kind} ${metric}`

function reductionsOf(series: Series): (readonly [string, number | string])[] {
  const { window, minPoints } = defaultSummary
  const reduced = (reduction: NonNullable<Reading['summary']>['reduction'], least: number): number | string => {
    const value = reduceSeries(series, reduction, { window, minPoints: least })
    return isAvailable(value) ? value : wordsFor(value.unavailable)
  }
  return [
    [reducedKey(series.metric, 'auc'), reduced(defaultSummary.reduction, minPoints)],
    [reducedKey(series.metric, 'slope'), reduced({ kind: 'slope' }, 1)],
  ]
}

/** Evenly, the first and the last point always. */
function thinned({ metric, steps, values }: Series, points: number): Series {
  if (values.length <= points) return { metric, steps, values }
  const kept = Array.from({ length: points }, (_, at) => Math.round((at * (values.length - 1)) / (points - 1)))
  const pick = (list: readonly number[]) => kept.map(at => list[at] ?? Number.NaN)
  return { metric, steps: pick(steps), values: pick(values) }
}
