import { pairedDifferences } from '../../../../src/stats/describe/differences.ts'
import { meanOf, standardDeviation } from '../../../../src/stats/describe/moments.ts'
import { trimmed } from '../../../../src/stats/describe/robust.ts'
import { pairingGain } from '../../../../src/stats/effect/pairing.ts'
import { cohensDz } from '../../../../src/stats/effect/standardized.ts'
import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../../src/stats/estimate.ts'
import {
  type Equivalence,
  equivalencePaired,
  equivalenceWelch,
  type Margins,
  nonInferiorityPaired,
  nonInferiorityWelch,
} from '../../../../src/stats/tests/means/equivalence.ts'
import { pairedTTest } from '../../../../src/stats/tests/means/paired-t.ts'
import type { TTest, TTestOptions } from '../../../../src/stats/tests/means/t-inference.ts'
import { pooledTTest, welchTest } from '../../../../src/stats/tests/means/welch.ts'
import { yuenTest } from '../../../../src/stats/tests/means/yuen.ts'
import { alternativeOf } from '../alternative.ts'
import type { Evaluate, Input } from '../evaluate.ts'
import { pairsWithNaNPolicy, withNaNPolicy } from '../nan-policy.ts'

export const means: Readonly<Record<string, Evaluate>> = {
  'test.welch': twoGroups(({ a, b }, options) => welchTest(a, b, options)),
  'test.studentPooled': twoGroups(({ a, b }, options) => pooledTTest(a, b, options)),
  'test.yuen': input => {
    const { a, b, dropped } = groups(input)
    const trim = input.trim ?? 0.2
    const trimmedDiff = meanOf(trimmed(a, trim)) - meanOf(trimmed(b, trim))
    return { trimmedDiff, ...fields(yuenTest(a, b, { ...optionsOf(input), trim })), nDropped: dropped }
  },
  'test.pairedT': input => {
    const { a, b, dropped } = pairsWithNaNPolicy(input.a, input.b, input.nanPolicy)
    const differences = pairedDifferences(a, b)
    const gain = pairingGain(a, b)
    return {
      meanDiff: valueOrNull(whenAvailable(differences, ({ values }) => meanOf(values))),
      sdDiff: valueOrNull(whenAvailable(differences, ({ values }) => standardDeviation(values))),
      dz: valueOrNull(whenAvailable(differences, cohensDz)),
      pearsonR: valueOrNull(whenAvailable(gain, ({ correlation }) => correlation)),
      varianceReduction: valueOrNull(whenAvailable(gain, ({ varianceReduction }) => varianceReduction)),
      ...fields(pairedTTest(a, b, optionsOf(input))),
      n: a.length,
      nDropped: dropped,
    }
  },
  'test.tostWelch': tost(({ a, b }, margins, alpha) => equivalenceWelch(a, b, margins, alpha)),
  'test.tostPaired': tost(({ a, b }, margins, alpha) => equivalencePaired(a, b, margins, alpha)),
  'test.nonInferiorityWelch': input => oneSided(nonInferiorityWelch(input.a, input.b, input.margin, input.alpha)),
  'test.nonInferiorityPaired': input => oneSided(nonInferiorityPaired(input.a, input.b, input.margin, input.alpha)),
}

function twoGroups(test: (groups: Input, options: TTestOptions) => Estimate<TTest>): Evaluate {
  return input => {
    const { a, b, dropped } = groups(input)
    const diff = a.length > 0 && b.length > 0 ? meanOf(a) - meanOf(b) : null
    return { diff, ...fields(test({ a, b }, optionsOf(input))), nDropped: dropped }
  }
}

function groups(input: Input) {
  const a = withNaNPolicy(input.a, input.nanPolicy)
  const b = withNaNPolicy(input.b, input.nanPolicy)
  return { a: a.values, b: b.values, dropped: a.dropped + b.dropped }
}

function optionsOf(input: Input): TTestOptions {
  return { alternative: alternativeOf(input), level: input.level ?? 0.95, nullValue: input.mu ?? 0 }
}

function fields(test: Estimate<TTest>) {
  if (!isAvailable(test)) return { se: null, t: null, df: null, p: null, ciLo: null, ciHi: null, degenerate: true }
  const { standardError: se, t, df, p, interval } = test
  return { se, t, df, p, ciLo: interval.low, ciHi: interval.high, degenerate: false }
}

type Tost = (groups: Input, margins: Margins, alpha: number) => Estimate<Equivalence>

function tost(test: Tost): Evaluate {
  return input => {
    const margins = { low: input.low ?? -input.margin, high: input.high ?? input.margin }
    const diff = meanOf(input.a) - meanOf(input.b)
    const result = test(input, margins, input.alpha ?? 0.05)
    // The name of the field says 90%, whatever alpha is.
    const at90 = test(input, margins, 0.05)
    if (!isAvailable(result) || !isAvailable(at90))
      return { diff, pLower: null, pUpper: null, p: null, degenerate: true }
    return {
      diff,
      meanDiff: diff,
      pLower: result.pLow,
      pUpper: result.pHigh,
      p: result.p,
      ciLo: result.interval.low,
      ciHi: result.interval.high,
      ci90Lo: at90.interval.low,
      ci90Hi: at90.interval.high,
      equivalent: result.p < (input.alpha ?? 0.05),
      degenerate: false,
    }
  }
}

function oneSided(result: ReturnType<typeof nonInferiorityWelch>) {
  if (!isAvailable(result)) return { p: null, degenerate: true }
  return {
    diff: result.estimate,
    p: result.p,
    ciLo: result.interval.low,
    ciHi: result.interval.high,
    degenerate: false,
  }
}
