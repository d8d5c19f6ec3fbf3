import { binomialProbability } from '../../stats/distributions/binomial.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from '../../stats/intervals/proportion.ts'
import { isAvailable } from '../../stats/outcome.ts'

export interface ProportionCoverage {
  readonly method: string
  readonly rate: number
  readonly n: number
  readonly coverage: number
}

const methods = {
  wilson: wilsonInterval,
  'clopper-pearson': clopperPearsonInterval,
  jeffreys: jeffreysInterval,
  'agresti-coull': agrestiCoullInterval,
} as const

/** How often the interval of one arm's success rate holds the truth: summed over all outcomes, so without chance. */
export function proportionCoverage(
  rates: readonly number[],
  sizes: readonly number[],
  level: number,
): readonly ProportionCoverage[] {
  return Object.entries(methods).flatMap(([method, interval]) =>
    rates.flatMap(rate =>
      sizes.map(n => {
        let coverage = 0
        for (let successes = 0; successes <= n; successes++) {
          const found = interval({ successes, n }, level)
          if (isAvailable(found) && found.low <= rate && rate <= found.high)
            coverage += binomialProbability(successes, n, rate)
        }
        return { method, rate, n, coverage }
      }),
    ),
  )
}
