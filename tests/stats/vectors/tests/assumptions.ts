import { isAvailable } from '../../../../src/stats/estimate.ts'
import { leveneTest } from '../../../../src/stats/tests/assumptions/levene.ts'
import { shapiroWilkTest } from '../../../../src/stats/tests/assumptions/shapiro-wilk.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'

export const assumptions: Readonly<Record<string, Evaluate>> = {
  'test.shapiroWilk': ({ x, nanPolicy }) => {
    const test = shapiroWilkTest(withNaNPolicy(x, nanPolicy).values)
    return isAvailable(test) ? { w: test.w, p: test.p } : { w: null, p: null }
  },
  'test.levene': ({ groups, center }) => {
    const test = leveneTest(groups, center ?? 'median')
    return isAvailable(test) ? { w: test.w, p: test.p, df1: test.df1, df2: test.df2 } : { w: null, p: null }
  },
}
