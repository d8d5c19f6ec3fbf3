import { bcaLevels } from '../../../../src/stats/bootstrap/bca-levels.ts'
import { type BootstrapMethod, bootstrapInterval } from '../../../../src/stats/bootstrap/bootstrap-interval.ts'
import { resampleDifference } from '../../../../src/stats/bootstrap/resample/resample-difference.ts'
import { resamplePairs } from '../../../../src/stats/bootstrap/resample/resample-pairs.ts'
import { resampleValues } from '../../../../src/stats/bootstrap/resample/resample-values.ts'
import type { Resampled, ResampleOptions } from '../../../../src/stats/bootstrap/resample/resampled.ts'
import {
  meanStatistic,
  medianStatistic,
  type Statistic,
  standardDeviationStatistic,
  trimmedMeanStatistic,
  varianceStatistic,
} from '../../../../src/stats/bootstrap/resample/statistic.ts'
import { studentizedInterval, studentizeMean } from '../../../../src/stats/bootstrap/studentized.ts'
import { type Estimate, isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import { counterRandom } from '../../../../src/stats/random/counter-random.ts'
import type { Evaluate, Input } from '../evaluate.ts'

export const bootstrap: Readonly<Record<string, Evaluate>> = {
  'bootstrap.oneSample': input => {
    const statistic = statisticNamed(input.statistic)
    return {
      ...summary(resampleValues(input.x, { ...options(input), statistic }), input),
      ...(statistic === meanStatistic ? studentizedFields(input) : {}),
      estimate: statistic(Float64Array.from(input.x)),
    }
  },
  'bootstrap.twoSampleMeanDiff': input => {
    const statistic = statisticNamed(input.statistic)
    const estimate = statistic(Float64Array.from(input.a)) - statistic(Float64Array.from(input.b))
    return { ...summary(resampleDifference(input.a, input.b, { ...options(input), statistic }), input), estimate }
  },
  'bootstrap.pairedMeanDiff': input => {
    const statistic = statisticNamed(input.statistic)
    const estimate = statistic(Float64Array.from(input.a)) - statistic(Float64Array.from(input.b))
    return { ...summary(resamplePairs(input.a, input.b, { ...options(input), statistic }), input), estimate }
  },
  'bootstrap.intervalFromDistribution': input =>
    fields({ estimate: input.estimate, distribution: Float64Array.from(input.boot), jackknife: lists(input) }, input),
  'bootstrap.studentizedFromDistribution': input => {
    const given = {
      estimate: input.estimate,
      standardError: input.se,
      estimates: input.bootMeans,
      standardErrors: input.bootSEs,
    }
    const interval = studentizedInterval(given, levelOf(input))
    if (!isAvailable(interval)) return { used: 0, lo: null, hi: null, tLo: null, tHi: null }
    const { low, high, tLow, tHigh, used, dropped } = interval
    return { used, dropped, tLo: tLow, tHi: tHigh, lo: low, hi: high }
  },
}

const statistics: Readonly<Record<string, Statistic>> = {
  mean: meanStatistic,
  median: medianStatistic,
  sd: standardDeviationStatistic,
  std: standardDeviationStatistic,
  variance: varianceStatistic,
  var: varianceStatistic,
  trimmedMean: trimmedMeanStatistic(0.2),
  iqm: trimmedMeanStatistic(0.25),
}

function statisticNamed(name = 'mean'): Statistic {
  const statistic = statistics[name]
  if (statistic === undefined) throw new Error(`no bootstrap of the statistic ${name}`)
  return statistic
}

/** The vectors give the ideal bootstrap, so this uses many resamples; the samples are small. */
function options(input: Input): ResampleOptions {
  return { random: counterRandom(input.seed ?? 1), resamples: input.resamples ?? input.nResamples ?? 40_000 }
}

function levelOf(input: Input) {
  return { level: input.level ?? 0.95, alternative: input.alternative ?? input.side ?? 'two-sided' }
}

/** Leave-one-out values: of one sample, or a list for each. */
function lists(input: Input): number[][] {
  if (input.jackknife === undefined) return []
  return Array.isArray(input.jackknife[0]) ? input.jackknife : [input.jackknife]
}

function summary(resampled: Estimate<Resampled>, input: Input): Readonly<Record<string, unknown>> {
  if (isAvailable(resampled)) {
    const { distribution } = resampled
    const atMostZero = distribution.reduce((count, value) => count + (value <= 1e-12 ? 1 : 0), 0)
    const atLeastZero = distribution.reduce((count, value) => count + (value >= -1e-12 ? 1 : 0), 0)
    return {
      ...fields(resampled, input),
      bootstrapSE: standardDeviationStatistic(distribution),
      probLE0: atMostZero / distribution.length,
      probGE0: atLeastZero / distribution.length,
      degenerate: false,
    }
  }
  const nothing = { bootstrapSE: null, z0: null, acceleration: null, percentileLo: null, percentileHi: null }
  return { ...nothing, basicLo: null, basicHi: null, bcaLo: Number.NaN, bcaHi: Number.NaN, degenerate: true }
}

function fields(resampled: Resampled, input: Input): Readonly<Record<string, unknown>> {
  const { level } = levelOf(input)
  const levels = valueOrNull(bcaLevels(resampled.distribution, resampled))
  return {
    ...bounds('percentile', resampled, input),
    ...bounds('basic', resampled, input),
    ...bounds('bca', resampled, input),
    z0: levels?.bias ?? null,
    acceleration: levels?.acceleration ?? null,
    bcaAlpha1: levels?.levelFor((1 - level) / 2) ?? null,
    bcaAlpha2: levels?.levelFor((1 + level) / 2) ?? null,
  }
}

function bounds(method: BootstrapMethod, resampled: Resampled, input: Input): Readonly<Record<string, unknown>> {
  const interval = valueOrNull(bootstrapInterval(resampled, { ...levelOf(input), method }))
  return { [`${method}Lo`]: interval?.low ?? null, [`${method}Hi`]: interval?.high ?? null }
}

function studentizedFields(input: Input): Readonly<Record<string, unknown>> {
  const studentized = studentizeMean(input.x, options(input))
  const interval = isAvailable(studentized) ? valueOrNull(studentizedInterval(studentized, levelOf(input))) : null
  return { studentizedLo: interval?.low ?? null, studentizedHi: interval?.high ?? null }
}
