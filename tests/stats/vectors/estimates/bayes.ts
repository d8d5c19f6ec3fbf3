import {
  betaMean,
  credibleInterval,
  posteriorOf,
  probabilityGreater,
} from '../../../../src/stats/bayes/beta-binomial.ts'
import type { Evaluate } from '../evaluate.ts'

export const bayes: Readonly<Record<string, Evaluate>> = {
  'bayes.betaBinomial': input => {
    const prior = { a: input.a ?? input.alpha ?? input.priorA ?? 1, b: input.b ?? input.beta ?? input.priorB ?? 1 }
    const first = posteriorOf({ successes: input.k1, trials: input.n1 }, prior)
    const second = posteriorOf({ successes: input.k2, trials: input.n2 }, prior)
    const [one, other] = [first, second].map(posterior => credibleInterval(posterior, input.level ?? 0.95))
    return {
      p1GreaterP2: probabilityGreater(first, second, input.margin),
      mean1: betaMean(first),
      mean2: betaMean(second),
      cred1Lo: one?.low,
      cred1Hi: one?.high,
      cred2Lo: other?.low,
      cred2Hi: other?.high,
    }
  },
}
