import { type Arm, armOf } from '../../analyze/arms.ts'
import { bestCandidates, fewCandidates, mostCandidates } from '../../analyze/best-candidates.ts'
import { type ArmCurve, curveOf } from '../../analyze/compare/arm-curve.ts'
import { readingOf } from '../../analyze/reading.ts'
import type { Series } from '../../define/job.ts'
import type { Evidence } from '../../plan/evidence.ts'
import { canonicalJson } from '../../util/canonical-json.ts'
import type { Dataset } from '../dataset/dataset.ts'
import { filtered, idOf } from './looked-at.ts'
import { armsBy, type View } from './view.ts'
import { type OrReason, orReason } from './wording/or-reason.ts'

export interface Curves {
  readonly metric: string
  readonly level: number
  /** So many arms there are, where only the baseline and the best are shown. */
  readonly chosenFrom?: number
  readonly curves: readonly (ArmCurve & { readonly runs: readonly RunCurve[] })[]
}

export interface RunCurve {
  readonly id: string
  readonly series: Series
}

/** Thin lines of single runs, as long as they can be told apart. */
const mostLines = 60

/** More curves can't be told apart: the baseline and the best of the others are left. */
function chosenArms(arms: readonly Arm[], evidence: Evidence, { metric, baseline }: View): readonly Arm[] {
  if (arms.length <= mostCandidates) return arms
  const isBaseline = ({ levels }: Arm) => canonicalJson(levels) === canonicalJson(baseline)
  const others = arms.filter(arm => !isBaseline(arm))
  return [...arms.filter(isBaseline), ...bestCandidates(others, readingOf(evidence, { metric }), fewCandidates)]
}

/** The series there are, the view's metric first. */
export function seriesNames({ evidence }: Dataset, view: Pick<View, 'metric'>): readonly string[] {
  const names = new Set(evidence.runs.flatMap(run => run.series.map(({ metric }) => metric)))
  return names.has(view.metric) ? [view.metric, ...[...names].filter(name => name !== view.metric)] : [...names]
}

export function curvesOf(dataset: Dataset, view: View, metric: string): OrReason<Curves> {
  return orReason(() => {
    const evidence = filtered(dataset.evidence, view.filter)
    const level = 1 - view.alpha
    const all: readonly Arm[] =
      view.group.length === 0
        ? [{ label: 'all runs', levels: {}, runs: evidence.runs }]
        : armsBy(evidence, view.group).map(levels => armOf(evidence, levels))
    const arms = chosenArms(all, evidence, view)
    const curves = arms.map(arm => {
      const own = arm.runs.flatMap(run =>
        run.series.filter(one => one.metric === metric).map(series => ({ run, series })),
      )
      return {
        ...curveOf(evidence, arm, metric, level),
        runs: own.map(({ run, series }) => ({ id: idOf(run), series })),
      }
    })
    const lines = curves.reduce((sum, { runs }) => sum + runs.length, 0)
    const chosenFrom = arms.length < all.length ? { chosenFrom: all.length } : {}
    return {
      metric,
      level,
      ...chosenFrom,
      curves: lines > mostLines ? curves.map(curve => ({ ...curve, runs: [] })) : curves,
    }
  })
}
