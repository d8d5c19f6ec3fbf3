import { mean, standardError } from '../../../../src/stats/describe/moments.ts'
import { type Estimate, isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import type { Interval } from '../../../../src/stats/interval.ts'
import { meanInterval } from '../../../../src/stats/intervals/mean.ts'
import {
  agrestiCoullInterval,
  clopperPearsonInterval,
  jeffreysInterval,
  wilsonInterval,
} from '../../../../src/stats/intervals/proportion.ts'
import { pairedRatioInterval, ratioInterval } from '../../../../src/stats/intervals/ratio.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'

export const intervals: Readonly<Record<string, Evaluate>> = {
  'ci.tMean': ({ x, level, nanPolicy }) => {
    const { values } = withNaNPolicy(x, nanPolicy)
    const interval = meanInterval(values, level ?? 0.95)
    return {
      n: values.length,
      mean: valueOrNull(mean(values)),
      sem: valueOrNull(standardError(values)),
      df: values.length > 1 ? values.length - 1 : null,
      lo: low(interval),
      hi: high(interval),
    }
  },
  'ci.proportion': ({ successes, n, level = 0.95 }) => {
    const count = { successes, n }
    const wilson = wilsonInterval(count, level)
    const clopperPearson = clopperPearsonInterval(count, level)
    const jeffreys = jeffreysInterval(count, level)
    const agrestiCoull = agrestiCoullInterval(count, level)
    return {
      p: n > 0 ? successes / n : null,
      ...{ wilsonLo: low(wilson), wilsonHi: high(wilson) },
      ...{ clopperPearsonLo: low(clopperPearson), clopperPearsonHi: high(clopperPearson) },
      ...{ jeffreysLo: low(jeffreys), jeffreysHi: high(jeffreys) },
      ...{ agrestiCoullLo: low(agrestiCoull), agrestiCoullHi: high(agrestiCoull) },
    }
  },
  'ci.ratio': ({ a, b, paired, level = 0.95 }) => {
    const interval = paired === true ? pairedRatioInterval(a, b, level) : ratioInterval(a, b, level)
    return { ratio: isAvailable(interval) ? interval.ratio : null, lo: low(interval), hi: high(interval) }
  },
}

function low(interval: Estimate<Interval>): number | null {
  return isAvailable(interval) ? interval.low : null
}

function high(interval: Estimate<Interval>): number | null {
  return isAvailable(interval) ? interval.high : null
}
