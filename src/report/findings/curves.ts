import { armOf } from '../../analyze/arms.ts'
import { type ArmCurve, curveOf } from '../../analyze/compare/arm-curve.ts'
import type { Series } from '../../define/job.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, idOf } from './looked-at.ts'
import { armsBy, type View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

export interface Curves {
  readonly metric: string
  readonly level: number
  readonly curves: readonly (ArmCurve & { readonly runs: readonly RunCurve[] })[]
}

export interface RunCurve {
  readonly id: string
  readonly series: Series
}

/** Thin lines of single runs, as long as they can be told apart. */
const mostLines = 60

/** The series there are, the view's metric first. */
export function seriesNames({ evidence }: Dataset, view: Pick<View, 'metric'>): readonly string[] {
  const names = new Set(evidence.runs.flatMap(run => run.series.map(({ metric }) => metric)))
  return names.has(view.metric) ? [view.metric, ...[...names].filter(name => name !== view.metric)] : [...names]
}

export function curvesOf(dataset: Dataset, view: View, metric: string): OrReason<Curves> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const level = 1 - view.alpha
    const arms = view.group.length === 0 ? [{}] : armsBy(evidence, view.group)
    const curves = arms.map(levels => {
      const arm = view.group.length === 0 ? { label: 'all runs', levels, runs: evidence.runs } : armOf(evidence, levels)
      const own = arm.runs.flatMap(run =>
        run.series.filter(one => one.metric === metric).map(series => ({ run, series })),
      )
      return {
        ...curveOf(evidence, arm, metric, level),
        runs: own.map(({ run, series }) => ({ id: idOf(run), series })),
      }
    })
    const lines = curves.reduce((sum, { runs }) => sum + runs.length, 0)
    return { metric, level, curves: lines > mostLines ? curves.map(curve => ({ ...curve, runs: [] })) : curves }
  })
}
