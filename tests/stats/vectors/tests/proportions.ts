import { isAvailable, valueOrNull, whenAvailable } from '../../../../src/stats/estimate.ts'
import { newcombeInterval, newcombePairedInterval } from '../../../../src/stats/intervals/newcombe.ts'
import { fisherExactTest } from '../../../../src/stats/tests/proportions/fisher-exact.ts'
import { mcnemarTest } from '../../../../src/stats/tests/proportions/mcnemar.ts'
import { twoProportionsTest } from '../../../../src/stats/tests/proportions/two-proportions.ts'
import { alternativeOf, chosenP } from '../alternative.ts'
import type { Evaluate } from '../evaluate.ts'

export const proportions: Readonly<Record<string, Evaluate>> = {
  'test.twoProportions': input => {
    const a = { successes: input.k1, n: input.n1 }
    const b = { successes: input.k2, n: input.n2 }
    const alternative = alternativeOf(input)
    const interval = newcombeInterval(a, b, input.level ?? 0.95)
    const z = twoProportionsTest(a, b, alternative)
    return {
      diff: a.n > 0 && b.n > 0 ? a.successes / a.n - b.successes / b.n : null,
      newcombeLo: valueOrNull(whenAvailable(interval, ({ low }) => low)),
      newcombeHi: valueOrNull(whenAvailable(interval, ({ high }) => high)),
      z: valueOrNull(whenAvailable(z, test => test.z)),
      pZ: valueOrNull(whenAvailable(z, test => test.p)),
      pFisher: valueOrNull(whenAvailable(fisherExactTest(a, b), p => chosenP(p, alternative))),
    }
  },
  'test.mcnemar': ({ b, c }) => {
    const test = mcnemarTest(b, c)
    // The file's convention: identical outcomes on every item are compatible with anything, so p is 1.
    if (!isAvailable(test))
      return { pExact: 1, pMid: 1, chi2: null, pChi2: null, chi2Corrected: null, pChi2Corrected: null }
    return {
      pExact: test.exact.twoSided,
      pMid: test.midP,
      chi2: test.chiSquared,
      pChi2: test.chiSquaredP,
      chi2Corrected: test.correctedChiSquared,
      pChi2Corrected: test.correctedP,
    }
  },
  'ci.newcombePaired': ({ both, onlyA, onlyB, neither, level }) => {
    const interval = newcombePairedInterval({ both, onlyA, onlyB, neither }, level ?? 0.95)
    return isAvailable(interval) ? { lo: interval.low, hi: interval.high } : { lo: null, hi: null }
  },
}
