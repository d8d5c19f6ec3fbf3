import { unusable } from '../describe/usable.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Estimate, requireThat, unavailable } from '../estimate.ts'
import type { Interval } from '../interval.ts'
import { requireLevel } from '../tests/alternative.ts'

/** A run that succeeded at this time, or had not succeeded when it was stopped (by its budget, for example). */
export interface TimedRun {
  readonly time: number
  readonly succeeded: boolean
}

export interface SurvivalPoint {
  readonly time: number
  readonly atRisk: number
  readonly successes: number
  /** The share that has not succeeded by then, and its interval. */
  readonly remaining: number
  readonly interval: Estimate<Interval>
}

export interface TimeToSuccess {
  readonly runs: number
  readonly censored: number
  readonly points: readonly SurvivalPoint[]
  /** The time by which half have succeeded; none if fewer ever do. */
  readonly median: Estimate<number>
  /**
   * Mean time spent up to the horizon, with stopped runs counted by the curve; the fair mean when some never succeed.
   */
  readonly restrictedMean: Estimate<number>
}

/**
 * Time to success if some runs were stopped before they succeeded (Kaplan & Meier 1958; intervals by the log-minus-log
 * of Kalbfleisch & Prentice 1980 on Greenwood's variance, which stay within 0 and 1). `horizon` is by default the
 * longest observed time.
 */
export function timeToSuccess(
  runs: readonly TimedRun[],
  { level = 0.95, horizon }: { readonly level?: number; readonly horizon?: number } = {},
): Estimate<TimeToSuccess> {
  requireLevel(level)
  const times = runs.map(run => run.time)
  const reason = unusable(times)
  if (reason !== undefined) return reason
  requireThat(
    times.every(time => time >= 0),
    'times of at least 0',
  )
  const points = pointsOf(runs, level)
  const last = times.reduce((latest, time) => Math.max(latest, time), 0)
  const half = points.find(point => point.remaining <= 0.5 + 1e-12)
  return {
    runs: runs.length,
    censored: runs.filter(run => !run.succeeded).length,
    points,
    median: half?.time ?? unavailable('censored'),
    restrictedMean: horizon !== undefined && horizon > last ? unavailable('censored') : areaTo(points, horizon ?? last),
  }
}

function pointsOf(runs: readonly TimedRun[], level: number): SurvivalPoint[] {
  const ordered = [...runs].sort((one, other) => one.time - other.time)
  const points: SurvivalPoint[] = []
  let remaining = 1
  let greenwood = 0
  for (let first = 0, next = 0; first < ordered.length; first = next) {
    const time = ordered[first]?.time ?? 0
    let successes = 0
    for (; ordered[next]?.time === time; next++) if (ordered[next]?.succeeded) successes++
    if (successes === 0) continue
    const atRisk = ordered.length - first
    remaining *= 1 - successes / atRisk
    greenwood += successes / (atRisk * (atRisk - successes))
    points.push({ time, atRisk, successes, remaining, interval: boundsOf(remaining, greenwood, level) })
  }
  return points
}

function boundsOf(remaining: number, greenwood: number, level: number): Estimate<Interval> {
  if (remaining <= 0 || remaining >= 1) return unavailable('zero_variance')
  const half = (normalQuantile((1 + level) / 2) * Math.sqrt(greenwood)) / Math.abs(Math.log(remaining))
  return { level, low: remaining ** Math.exp(half), high: remaining ** Math.exp(-half) }
}

function areaTo(points: readonly SurvivalPoint[], horizon: number): number {
  let area = 0
  let before = { time: 0, remaining: 1 }
  for (const point of points) {
    if (point.time >= horizon) break
    area += before.remaining * (point.time - before.time)
    before = point
  }
  return area + before.remaining * (horizon - before.time)
}
