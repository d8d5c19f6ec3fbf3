import type { Compared, Question } from '../../../analyze/compare/compare.ts'
import { curveOf, ratiosOf, resampledDifferences, shapesOf } from '../../../analyze/compare/pictured.ts'
import { percentText } from '../../../analyze/numbers.ts'
import { bootstrapDistribution } from '../../../charts/bootstrap-distribution.ts'
import type { ChartOptions } from '../../../charts/drawing/frame.ts'
import { learningCurves } from '../../../charts/learning-curves.ts'
import { qqPlot } from '../../../charts/q-q.ts'
import { radialChart } from '../../../charts/radial.ts'
import { stacked } from '../../../charts/stacked.ts'
import type { Evidence } from '../../../plan/evidence.ts'
import { chartDocument } from '../../../report/pictures/chart-document.ts'

/** From how many metrics on a profile says more than a table. */
const enoughAxes = 3

/** Curves where the metric is a series, the profile where there are several metrics; then chance and shape, per candidate. */
export function comparisonPicture(evidence: Evidence, question: Question, compared: readonly Compared[]): string {
  const options = { document: chartDocument(), width: 720 }
  return stacked([
    ...(question.reading.summary === null ? [] : [curves(question, options)]),
    ...(evidence.metrics.length < enoughAxes ? [] : [profile(evidence, question, options)]),
    ...compared.flatMap(one => [distribution(one, question, options), ...shapes(one, options)]),
  ])
}

function curves({ control, candidates, reading, alpha }: Question, options: ChartOptions): string {
  const level = 1 - alpha
  return learningCurves(
    {
      metric: reading.metric,
      curves: [control, ...candidates].map(arm => curveOf(arm, reading.metric, level)),
      band: `${percentText(level)} confidence band at each step`,
    },
    options,
  )
}

function profile(evidence: Evidence, question: Question, options: ChartOptions): string {
  return radialChart(
    {
      baseline: question.control.label,
      axes: evidence.metrics.map(({ name, goal }) => ({ metric: name, goal: goal ?? 'maximize' })),
      variants: question.candidates.map(arm => ({ label: arm.label, ratios: ratiosOf(evidence, arm, question) })),
      intervalLabel: `${percentText(1 - question.alpha)} interval`,
    },
    options,
  )
}

function distribution({ comparison, samples }: Compared, { drawing }: Question, options: ChartOptions): string {
  const { metric, candidate, control, estimate, ci } = comparison
  return bootstrapDistribution(
    {
      metric,
      label: `${candidate} − ${control}`,
      resampled: resampledDifferences(samples, drawing),
      estimate,
      interval:
        ci === null ? null : { low: ci.low ?? Number.NEGATIVE_INFINITY, high: ci.high ?? Number.POSITIVE_INFINITY },
      ...(ci !== null && { intervalLabel: `${percentText(ci.level)} interval (${ci.method})` }),
    },
    options,
  )
}

function shapes({ comparison, samples }: Compared, options: ChartOptions): readonly string[] {
  // Of yes and no nobody asks whether they are normal.
  if (comparison.yes_no) return []
  return shapesOf(samples, comparison).map(sample =>
    qqPlot({ metric: comparison.metric, sample }, { ...options, width: 480 }),
  )
}
