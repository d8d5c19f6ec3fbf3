import { isAvailable, valueOrNull } from '../../../../src/stats/estimate.ts'
import { questionsDetect, questionsNeeded } from '../../../../src/stats/power/eval-questions.ts'
import { sampleSizeForHalfWidth } from '../../../../src/stats/power/half-width.ts'
import { mcnemarPower, mcnemarSampleSize } from '../../../../src/stats/power/mcnemar.ts'
import { pairsByNormalApproximation } from '../../../../src/stats/power/normal-approximation.ts'
import { wholeRuns } from '../../../../src/stats/power/solve.ts'
import {
  type Design,
  minimumDetectableEffect,
  tTestPower,
  tTestSampleSize,
} from '../../../../src/stats/power/t-test.ts'
import { twoProportionsPower, twoProportionsSampleSize } from '../../../../src/stats/power/two-proportions.ts'
import { alternativeOf } from '../alternative.ts'
import type { Evaluate, Input } from '../evaluate.ts'

export const power: Readonly<Record<string, Evaluate>> = {
  'power.tTest': input => ({
    power: valueOrNull(tTestPower(input.effectSize, designOf(input), optionsOf(input))),
  }),
  'power.sampleSizeT': input => {
    const size = tTestSampleSize(input.effectSize, designOf(input), input.power, optionsOf(input))
    if (!isAvailable(size)) return { n: null, nFractional: null, powerAtN: null }
    return { n: size.n, nFractional: size.fractional, powerAtN: size.power }
  },
  'power.minDetectableEffect': input => ({
    effectSize: valueOrNull(minimumDetectableEffect(designOf(input), input.power, optionsOf(input))),
  }),
  'power.twoProportions': input => {
    const { p1, p2, ratio = 1, alpha = 0.05, n } = input
    const options = { alpha, ratio, sides: sidesOf(input) }
    const size = twoProportionsSampleSize(p1, p2, { ...options, power: input.power ?? 0.8 })
    const atN = n === undefined ? {} : { power: twoProportionsPower(p1, p2, n, options) }
    if (!isAvailable(size))
      return { cohensH: 0, nArcsine: null, nPooled: null, nArcsineCeil: null, nPooledCeil: null, ...atN }
    return {
      cohensH: size.cohensH,
      nArcsine: size.arcsine,
      nPooled: size.pooled,
      nArcsineCeil: wholeRuns(size.arcsine),
      nPooledCeil: wholeRuns(size.pooled),
      ...atN,
    }
  },
  'power.evalQuestions': input => {
    const variances = { between: input.omega2, withinA: input.sigmaA2 ?? 0, withinB: input.sigmaB2 ?? 0 }
    const options = {
      ...{ answersA: input.kA ?? 1, answersB: input.kB ?? 1 },
      ...{ alpha: input.alpha ?? 0.05, power: input.power ?? 0.8, sides: sidesOf(input) },
    }
    const n = questionsNeeded(variances, input.delta, options)
    if (!isAvailable(n)) return { n: null, nCeil: null, mdeAtN: null }
    const nCeil = wholeRuns(n)
    return { n, nCeil, mdeAtN: questionsDetect(variances, nCeil, options) }
  },
  'power.normalApproxPaired': input => {
    const { effect, sd, alpha = 0.05 } = input
    const n = pairsByNormalApproximation(effect, sd, { alpha, power: input.power ?? 0.8, sides: sidesOf(input) })
    return isAvailable(n) ? { n, nCeil: wholeRuns(n) } : { n: null, nCeil: null }
  },
  'power.mcnemar': ({ onlyA, onlyB, n, alpha = 0.05, power: wanted = 0.8 }) => ({
    n: valueOrNull(mcnemarSampleSize({ onlyA, onlyB }, { alpha, power: wanted })),
    power: n === undefined ? null : mcnemarPower({ onlyA, onlyB }, n, alpha),
  }),
  'power.sampleSizeHalfWidth': ({ sd, halfWidth, level = 0.95 }) => ({
    n: valueOrNull(sampleSizeForHalfWidth(sd, halfWidth, level)),
  }),
}

function designOf(input: Input): Design {
  const n = input.n1 ?? input.n
  if (input.design === 'paired' || input.design === 'oneSample') return { kind: 'paired', n: input.n ?? input.n1 }
  return { kind: 'independent', n, ratio: input.n2 === undefined ? (input.ratio ?? 1) : input.n2 / n }
}

function optionsOf(input: Input) {
  return { alpha: input.alpha ?? 0.05, alternative: alternativeOf(input) }
}

function sidesOf(input: Input): 1 | 2 {
  return alternativeOf(input) === 'two-sided' ? 2 : 1
}
