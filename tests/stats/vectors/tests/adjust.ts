import {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  hochberg,
  holm,
  sidak,
} from '../../../../src/stats/adjust/p-values.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'

export const adjust: Readonly<Record<string, Evaluate>> = {
  'adjust.pValues': ({ p, nanPolicy }) => {
    withNaNPolicy(p, nanPolicy)
    return {
      bonferroni: bonferroni(p),
      holm: holm(p),
      hochberg: hochberg(p),
      sidak: sidak(p),
      bh: benjaminiHochberg(p),
      by: benjaminiYekutieli(p),
    }
  },
}
