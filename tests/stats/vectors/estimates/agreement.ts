import { cohenKappa } from '../../../../src/stats/agreement/cohen-kappa.ts'
import { kendallCorrelation } from '../../../../src/stats/correlation/kendall.ts'
import { pearsonCorrelation } from '../../../../src/stats/correlation/pearson.ts'
import { spearmanCorrelation } from '../../../../src/stats/correlation/spearman.ts'
import { type Estimate, isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import type { Evaluate } from '../evaluate.ts'

export const agreement: Readonly<Record<string, Evaluate>> = {
  'agree.cohenKappa': ({ a, b }) => {
    const answer = cohenKappa(a, b)
    if (!isAvailable(answer)) return { po: null, pe: null, kappa: null, se: null }
    return {
      po: answer.observed,
      pe: answer.expected,
      kappa: valueOrNull(answer.kappa),
      se: valueOrNull(answer.standardError),
    }
  },
  'corr.all': ({ x, y }) => {
    const [pearson, spearman, kendall] = [pearsonCorrelation(x, y), spearmanCorrelation(x, y), kendallCorrelation(x, y)]
    return {
      pearson: estimateOf(pearson),
      spearman: estimateOf(spearman),
      kendallTauB: estimateOf(kendall),
      pearsonP: pOf(pearson),
      spearmanP: pOf(spearman),
      kendallP: pOf(kendall),
    }
  },
}

function estimateOf(answer: Estimate<{ readonly estimate: number }>): number | null {
  return isAvailable(answer) ? answer.estimate : null
}

function pOf(answer: Estimate<{ readonly p: Estimate<number> }>): number | null {
  return isAvailable(answer) ? valueOrNull(answer.p) : null
}
