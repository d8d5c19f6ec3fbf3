import { summarize } from '../../../../src/stats/describe/summary.ts'
import { isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import type { Evaluate } from '../evaluate.ts'
import { withNaNPolicy } from '../nan-policy.ts'

export const desc: Readonly<Record<string, Evaluate>> = {
  'desc.summary': ({ x, nanPolicy }) => {
    const { values, dropped } = withNaNPolicy(x, nanPolicy)
    const summary = summarize(values)
    if (!isAvailable(summary)) return { n: values.length, mean: null, nDropped: dropped, reason: summary.unavailable }
    return {
      n: summary.n,
      mean: summary.mean,
      variance: valueOrNull(summary.variance),
      sd: valueOrNull(summary.sd),
      sem: valueOrNull(summary.standardError),
      median: summary.median,
      q25: summary.q25,
      q75: summary.q75,
      q05: summary.q05,
      q95: summary.q95,
      madRaw: valueOrNull(summary.medianAbsoluteDeviation),
      cv: coefficientOf(summary.mean, valueOrNull(summary.sd)),
      skewness: valueOrNull(summary.skewness),
      min: summary.min,
      max: summary.max,
      nDropped: dropped,
    }
  },
}

/** The file's convention: a mean below 1e-10 counts as 0, whatever the unit. */
function coefficientOf(mean: number, sd: number | null): number | null {
  if (sd === null) return null
  return Math.abs(mean) < 1e-10 ? Infinity : sd / Math.abs(mean)
}
