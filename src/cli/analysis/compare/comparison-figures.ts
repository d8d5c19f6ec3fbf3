import type { Compared, Question } from '../../../analyze/compare/compare.ts'
import { curveOf, ratiosOf, resampledDifferences, shapesOf } from '../../../analyze/compare/pictured.ts'
import type { Charts } from '../../../charts/draw-chart.ts'
import type { Evidence } from '../../../define/observation.ts'
import { percentText } from '../../../util/words.ts'

/** The data of a comparison's pictures: what `--output` draws, or writes as data. */
export interface ComparisonFigures {
  readonly kind: 'figures'
  /** If the metric is a series. */
  readonly learning_curves: Charts['learningCurves'] | null
  /** If the experiment declares several metrics. */
  readonly profile: Charts['radial'] | null
  readonly comparisons: readonly {
    readonly candidate: string
    readonly bootstrap_distribution: Charts['bootstrap']
    /** Empty for yes-or-no values: those are never normal. */
    readonly quantiles: readonly Charts['qq'][]
  }[]
}

/** From this many metrics on, a profile says more than a table. */
const enoughAxes = 3

export function comparisonFigures(
  evidence: Evidence,
  question: Question,
  compared: readonly Compared[],
): ComparisonFigures {
  return {
    kind: 'figures',
    learning_curves: question.reading.summary === null ? null : curves(evidence, question),
    profile: evidence.metrics.length < enoughAxes ? null : profile(evidence, question),
    comparisons: compared.map(({ comparison, samples }) => ({
      candidate: comparison.candidate,
      bootstrap_distribution: distribution({ comparison, samples }, question),
      quantiles: comparison.yes_no
        ? []
        : shapesOf(samples, comparison).map(sample => ({
            metric: comparison.metric,
            sample,
            ...(comparison.pairing === null && { isOfArm: true }),
          })),
    })),
  }
}

function curves(evidence: Evidence, { control, candidates, reading, alpha }: Question): Charts['learningCurves'] {
  const level = 1 - alpha
  return {
    metric: reading.metric,
    curves: [control, ...candidates].map(arm => curveOf(evidence, arm, reading.metric, level)),
    band: `${percentText(level)} confidence band at each step`,
  }
}

function profile(evidence: Evidence, question: Question): Charts['radial'] {
  return {
    baseline: question.control.label,
    axes: evidence.metrics.map(({ name, goal }) => ({ metric: name, goal: goal ?? 'maximize' })),
    variants: question.candidates.map(arm => ({ label: arm.label, ratios: ratiosOf(evidence, arm, question) })),
    intervalLabel: `${percentText(1 - question.alpha)} interval`,
  }
}

function distribution({ comparison, samples }: Compared, { drawing }: Question): Charts['bootstrap'] {
  const { metric, candidate, control, estimate, ci } = comparison
  return {
    metric,
    label: `${candidate} − ${control}`,
    resampled: resampledDifferences(samples, drawing),
    estimate,
    interval:
      ci === null ? null : { low: ci.low ?? Number.NEGATIVE_INFINITY, high: ci.high ?? Number.POSITIVE_INFINITY },
    ...(ci !== null && { intervalLabel: `${percentText(ci.level)} interval (${ci.method})` }),
  }
}
