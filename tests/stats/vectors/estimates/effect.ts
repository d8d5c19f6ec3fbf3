import { cliffsDelta, commonLanguageEffect, varghaDelaneyA } from '../../../../src/stats/effect/ordinal.ts'
import { cohensD, glassDelta, hedgesG } from '../../../../src/stats/effect/standardized.ts'
import { valueOrNull, whenAvailable } from '../../../../src/stats/estimate.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'

export const effect: Readonly<Record<string, Evaluate>> = {
  'effect.twoSample': input => {
    const a = withNaNPolicy(input.a, input.nanPolicy).values
    const b = withNaNPolicy(input.b, input.nanPolicy).values
    const d = cohensD(a, b)
    const df = a.length + b.length - 2
    return {
      cohensD: valueOrNull(d),
      hedgesGExact: valueOrNull(hedgesG(a, b)),
      hedgesGApprox: valueOrNull(whenAvailable(d, value => value * (1 - 3 / (4 * df - 1)))),
      glassDelta: valueOrNull(glassDelta(a, b)),
      cliffsDelta: valueOrNull(cliffsDelta(a, b)),
      a12: valueOrNull(varghaDelaneyA(a, b)),
      commonLanguage: valueOrNull(commonLanguageEffect(a, b)),
    }
  },
}
