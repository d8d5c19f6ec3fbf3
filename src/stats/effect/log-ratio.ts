import { type Estimate, unavailable, whenAvailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { pairedTTest } from '../tests/means/paired-t.ts'
import type { TTest } from '../tests/means/t-inference.ts'
import { welchTest } from '../tests/means/welch.ts'

/** The geometric ratio of a to b: the natural effect for times and costs. */
export interface LogRatio {
  readonly ratio: number
  readonly interval: Interval
  readonly p: number
}

export function logRatio(a: readonly number[], b: readonly number[], level = 0.95): Estimate<LogRatio> {
  return ofLogs(a, b, (logA, logB) => welchTest(logA, logB, { level }))
}

export function pairedLogRatio(a: readonly number[], b: readonly number[], level = 0.95): Estimate<LogRatio> {
  return ofLogs(a, b, (logA, logB) => pairedTTest(logA, logB, { level }))
}

function ofLogs(
  a: readonly number[],
  b: readonly number[],
  test: (logA: readonly number[], logB: readonly number[]) => Estimate<TTest>,
): Estimate<LogRatio> {
  if (a.some(value => value <= 0) || b.some(value => value <= 0)) return unavailable('not_positive')
  return whenAvailable(test(a.map(Math.log), b.map(Math.log)), result => {
    const { level, low, high } = result.interval
    return {
      ratio: Math.exp(result.estimate),
      interval: { level, low: Math.exp(low), high: Math.exp(high) },
      p: result.p,
    }
  })
}
