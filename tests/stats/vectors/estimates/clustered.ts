import { isAvailable, valueOrNull, whenAvailable } from '../../../../src/stats/estimate.ts'
import { clusteredError, clusteredInterval } from '../../../../src/stats/hierarchy/clustered-error.ts'
import { pairedQuestions } from '../../../../src/stats/hierarchy/paired-questions.ts'
import type { Evaluate } from '../evaluate.ts'

export const clustered: Readonly<Record<string, Evaluate>> = {
  'ci.clusteredSE': input => {
    const error = clusteredError(input.scores, input.clusters)
    if (!isAvailable(error)) return { mean: null, clusters: 0, naiveSE: null, clusteredSE_corrected: null }
    const interval = valueOrNull(clusteredInterval(error, input.level))
    return {
      mean: error.mean,
      clusters: error.clusters,
      naiveSE: valueOrNull(error.naiveError),
      clusteredSE_CR0: valueOrNull(error.uncorrectedError),
      clusteredSE_corrected: valueOrNull(error.standardError),
      designEffect: valueOrNull(error.designEffect),
      effectiveN: valueOrNull(error.effectiveSize),
      df: error.degreesOfFreedom,
      ciLo: interval?.low ?? null,
      ciHi: interval?.high ?? null,
    }
  },
  'compare.pairedQuestions': input => {
    const compared = pairedQuestions(input.a, input.b, { level: input.level, clusters: input.clusters })
    const test = valueOrNull(whenAvailable(compared, ({ test }) => test))
    const part = (name: 'pairedError' | 'unpairedError' | 'correlation' | 'varianceReduction') =>
      valueOrNull(whenAvailable(compared, all => all[name]))
    return {
      diff: valueOrNull(whenAvailable(compared, ({ difference }) => difference)),
      sePaired: part('pairedError'),
      seUnpaired: part('unpairedError'),
      correlation: part('correlation'),
      varianceReduction: part('varianceReduction'),
      z: test?.z ?? null,
      p: test?.p ?? null,
      ciLo: test?.low ?? null,
      ciHi: test?.high ?? null,
    }
  },
}
