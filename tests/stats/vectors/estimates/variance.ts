import { type Estimate, isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import { varianceComponents } from '../../../../src/stats/hierarchy/variance-components.ts'
import { counterRandom } from '../../../../src/stats/random/counter-random.ts'
import { bootstrapCvCurve } from '../../../../src/stats/variation/bootstrap-cv-curve.ts'
import { cvCurve } from '../../../../src/stats/variation/cv-curve.ts'
import { runsForCv } from '../../../../src/stats/variation/runs-for-cv.ts'
import type { Evaluate } from '../evaluate.ts'

export const variance: Readonly<Record<string, Evaluate>> = {
  'variance.cvCurve': input => {
    const curve = cvCurve(input.values, input.threshold)
    return {
      ...curve,
      cv: curve.cv.map(orInfinity),
      firstUpperBelow: runsForCv(input.values, { threshold: input.threshold }).firstUpperBelow,
    }
  },
  'variance.bootstrapCvCurve': input => {
    const { points, firstMeanChangeBelow, firstWidthChangeBelow } = bootstrapCvCurve(input.values, {
      random: counterRandom(input.seed ?? 1),
      resamples: input.resamples ?? input.iterations ?? 20_000,
      level: input.level,
      threshold: input.threshold,
    })
    const field = (name: 'mean' | 'low' | 'high') => points.map(point => (isAvailable(point) ? point[name] : null))
    return {
      meanCv: field('mean'),
      lo: field('low'),
      hi: field('high'),
      firstRelativeChangeBelow: firstMeanChangeBelow,
      firstWidthChangeBelow,
    }
  },
  'variance.decompose': input => {
    const components = varianceComponents(input.scores)
    if (!isAvailable(components))
      return { grandMean: null, withinVar: null, varOfTaskMeans: null, betweenVar: null, se: null, icc1: null }
    return {
      grandMean: components.grandMean,
      withinVar: valueOrNull(components.withinVariance),
      varOfTaskMeans: valueOrNull(components.varianceOfTaskMeans),
      betweenVar: valueOrNull(components.betweenVariance),
      se: valueOrNull(components.standardError),
      icc1: valueOrNull(components.intraclassCorrelation),
    }
  },
}

/** The vectors write a missing CV as the originals did. */
function orInfinity(value: Estimate<number>): number {
  return isAvailable(value) ? value : Infinity
}
