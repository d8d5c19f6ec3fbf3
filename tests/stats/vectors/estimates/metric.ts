import { type Estimate, isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import { calibration } from '../../../../src/stats/scores/calibration.ts'
import { passAtK, passHatK } from '../../../../src/stats/scores/pass-at-k.ts'
import { passRate } from '../../../../src/stats/scores/pass-rate.ts'
import type { Evaluate, Input } from '../evaluate.ts'

export const metric: Readonly<Record<string, Evaluate>> = {
  'metric.passAtK': ({ n, c, k }) => {
    const task = { attempts: n, successes: c }
    return { passAtK: valueOrNull(passAtK(task, k)), passHatK: valueOrNull(passHatK(task, k)) }
  },
  'metric.passAtKDataset': ({ tasks, k }) => {
    const attempts = tasks.map(({ n, c }: Input) => ({ attempts: n, successes: c }))
    const any = passRate(attempts, k)
    const all = passRate(attempts, k, { succeed: 'all' })
    return {
      passAtK: isAvailable(any) ? any.estimate : null,
      se: isAvailable(any) ? valueOrNull(any.standardError) : null,
      passHatK: isAvailable(all) ? all.estimate : null,
      passHatKSe: isAvailable(all) ? valueOrNull(all.standardError) : null,
    }
  },
  'metric.calibration': ({ prob, y, bins }) => {
    const answer = calibration(prob, y, { bins })
    if (!isAvailable(answer)) return { brier: null, logLoss: null, ece: null, auroc: null, brierSkill: null }
    return {
      brier: answer.brier,
      logLoss: answer.logLoss,
      ece: answer.expectedError,
      mce: answer.maximumError,
      auroc: orNaN(answer.areaUnderRoc),
      brierSkill: orNaN(answer.brierSkill),
    }
  },
}

/** The vectors write a missing score of this family as NaN. */
function orNaN(value: Estimate<number>): number {
  return isAvailable(value) ? value : Number.NaN
}
