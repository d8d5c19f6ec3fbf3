import { bootstrapInterval } from '../../../../src/stats/bootstrap/bootstrap-interval.ts'
import { standardDeviationStatistic } from '../../../../src/stats/bootstrap/resample/statistic.ts'
import { isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import { counterRandom } from '../../../../src/stats/random/counter-random.ts'
import {
  type Aggregate,
  fractionalInterquartileMean,
  interquartileMean,
  meanScore,
  medianScore,
  optimalityGap,
} from '../../../../src/stats/rliable/aggregate.ts'
import { aggregateScores } from '../../../../src/stats/rliable/aggregate-scores.ts'
import { performanceProfile } from '../../../../src/stats/rliable/performance-profile.ts'
import { probabilityOfImprovement } from '../../../../src/stats/rliable/probability-of-improvement.ts'
import type { ScoreTable } from '../../../../src/stats/rliable/score-table.ts'
import { resampleScores } from '../../../../src/stats/rliable/stratified-bootstrap.ts'
import type { Evaluate, Input } from '../evaluate.ts'

export const rliable: Readonly<Record<string, Evaluate>> = {
  'rliable.aggregate': input => {
    const scores = aggregateScores(tableOf(input.scores), { gamma: input.gamma })
    if (!isAvailable(scores)) return { mean: null, median: null, iqm: null, iqmFractional: null, optimalityGap: null }
    return { ...scores, iqm: scores.interquartileMean, iqmFractional: scores.fractionalInterquartileMean }
  },
  'rliable.probabilityOfImprovement': input => {
    const answer = probabilityOfImprovement(tableOf(input.x), tableOf(input.y))
    return isAvailable(answer) ? { perTask: answer.perTask, poi: answer.estimate } : { perTask: null, poi: null }
  },
  'rliable.performanceProfile': input => {
    const profile = performanceProfile(tableOf(input.scores), input.taus)
    return isAvailable(profile)
      ? { runScore: profile.ofRuns, averageScore: profile.ofTasks }
      : { runScore: null, averageScore: null }
  },
  'rliable.stratifiedBootstrap': input => {
    const resampled = resampleScores(tableOf(input.scores), aggregateNamed(input), {
      random: counterRandom(input.seed ?? 1),
      resamples: input.resamples ?? 20_000,
      resampleTasks: input.resampleTasks ?? false,
    })
    if (!isAvailable(resampled)) return { estimate: null, lo: null, hi: null, bootstrapSE: null }
    const interval = valueOrNull(bootstrapInterval(resampled, { level: input.level ?? 0.95 }))
    return {
      estimate: resampled.estimate,
      lo: interval?.low ?? null,
      hi: interval?.high ?? null,
      bootstrapSE: standardDeviationStatistic(resampled.distribution),
    }
  },
}

/** A score that is missing comes as null or as NaN. */
function tableOf(scores: Input): ScoreTable {
  return scores.map((row: Input) => row.map((score: number | null) => (Number.isNaN(score) ? null : score)))
}

function aggregateNamed({ metric = 'iqm', gamma }: Input): Aggregate {
  const aggregates: Readonly<Record<string, Aggregate>> = {
    iqm: interquartileMean,
    iqmFractional: fractionalInterquartileMean,
    mean: meanScore,
    median: medianScore,
    optimalityGap: optimalityGap(gamma),
  }
  const aggregate = aggregates[metric]
  if (aggregate === undefined) throw new Error(`no aggregate called ${metric}`)
  return aggregate
}
