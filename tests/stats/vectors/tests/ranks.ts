import { type Differences, knownDifferences, pairedDifferences } from '../../../../src/stats/describe/differences.ts'
import {
  type Estimate,
  isAvailable,
  type Unavailable,
  valueOrNull,
  whenAvailable,
} from '../../../../src/stats/estimate.ts'
import { brunnerMunzelTest } from '../../../../src/stats/tests/ranks/brunner-munzel.ts'
import { friedmanTest } from '../../../../src/stats/tests/ranks/friedman.ts'
import { mannWhitneyExact, mannWhitneyNormal, mannWhitneyU } from '../../../../src/stats/tests/ranks/mann-whitney.ts'
import { criticalDistance } from '../../../../src/stats/tests/ranks/nemenyi.ts'
import { signTest } from '../../../../src/stats/tests/ranks/sign.ts'
import type { Zeros } from '../../../../src/stats/tests/ranks/signed-ranks.ts'
import { wilcoxonExact, wilcoxonNormal } from '../../../../src/stats/tests/ranks/wilcoxon.ts'
import { alternativeOf, chosenP } from '../alternative.ts'
import type { Evaluate, Input } from '../evaluate.ts'
import { pairsWithNaNPolicy, withNaNPolicy } from '../nan-policy.ts'

/** The file's convention: where nothing but ties leaves one arrangement only, p is 1. */
const noArrangement = { pTwoSided: 1, pGreater: 1, pLess: 1 }

export const ranks: Readonly<Record<string, Evaluate>> = {
  'test.wilcoxonExact': input => {
    const test = whenAvailable(differencesOf(input), differences => wilcoxonExact(differences, zerosOf(input)))
    if (!isAvailable(test))
      return isAllTied(test) ? { n: 0, wPlus: 0, wMinus: 0, ...noArrangement } : { pTwoSided: null }
    const { n, plus, minus, rankBiserial, p } = test
    return {
      ...{ n, wPlus: plus, wMinus: minus, rankBiserial },
      ...{ pTwoSided: p.twoSided, pGreater: p.greater, pLess: p.less, p: chosenP(p, alternativeOf(input)) },
    }
  },
  'test.wilcoxonNormal': input => {
    const options = { zeros: zerosOf(input), alternative: alternativeOf(input), continuity: input.continuity ?? false }
    const test = whenAvailable(differencesOf(input), differences => wilcoxonNormal(differences, options))
    if (!isAvailable(test)) return { n: 0, wPlus: 0, wMinus: 0, z: null, p: null }
    return { n: test.n, wPlus: test.plus, wMinus: test.minus, z: test.z, p: test.p, rankBiserial: test.rankBiserial }
  },
  'test.mannWhitney': input => {
    const a = withNaNPolicy(input.a, input.nanPolicy).values
    const b = withNaNPolicy(input.b, input.nanPolicy).values
    const exact = whenAvailable(mannWhitneyExact(a, b), ({ p }) => p)
    const normal = (continuity: boolean) => {
      const test = mannWhitneyNormal(a, b, { continuity, alternative: alternativeOf(input) })
      return isAvailable(test) ? test.p : isAllTied(test) ? 1 : null
    }
    const u = mannWhitneyU(a, b)
    return {
      ...(isAvailable(u)
        ? { u1: u.uA, u2: u.uB, a12: u.probabilityOfSuperiority, cliffsDelta: (u.uA - u.uB) / (u.uA + u.uB) }
        : {}),
      ...(isAvailable(exact)
        ? { pExactTwoSided: exact.twoSided, pExactGreater: exact.greater, pExactLess: exact.less }
        : isAllTied(exact)
          ? { pExactTwoSided: 1, pExactGreater: 1, pExactLess: 1 }
          : { pExactTwoSided: null, pExactGreater: null, pExactLess: null }),
      pNormalContinuity: normal(true),
      pNormalNoContinuity: normal(false),
    }
  },
  'test.brunnerMunzel': input => {
    const a = withNaNPolicy(input.a, input.nanPolicy).values
    const b = withNaNPolicy(input.b, input.nanPolicy).values
    const u = mannWhitneyU(b, a)
    const pBGreaterA = valueOrNull(whenAvailable(u, ({ probabilityOfSuperiority }) => probabilityOfSuperiority))
    const test = brunnerMunzelTest(a, b, alternativeOf(input))
    if (!isAvailable(test)) return { w: null, df: null, p: null, pBGreaterA, degenerate: true }
    return { w: test.w, df: test.df, p: test.p, pBGreaterA, degenerate: false }
  },
  'test.sign': input => {
    const test = whenAvailable(differencesOf(input), signTest)
    if (!isAvailable(test))
      return isAllTied(test) ? { positives: 0, negatives: 0, p: 1, ...noArrangement } : { p: null }
    const { positives, negatives, p } = test
    return {
      positives,
      negatives,
      p: chosenP(p, alternativeOf(input)),
      pTwoSided: p.twoSided,
      pGreater: p.greater,
      pLess: p.less,
    }
  },
  'test.friedman': ({ scores, higherIsBetter }) => {
    const test = friedmanTest(scores, higherIsBetter ?? true)
    const distance = (alpha: number) => criticalDistance(scores[0].length, scores.length, alpha)
    const distances = { nemenyiCD10: distance(0.1), nemenyiCD05: distance(0.05), nemenyiCD01: distance(0.01) }
    if (!isAvailable(test))
      return { chi2: null, p: null, imanDavenportF: null, pImanDavenport: null, ...distances, degenerate: true }
    return {
      avgRanks: test.averageRanks,
      chi2: test.chiSquared,
      p: test.p,
      imanDavenportF: valueOrNull(whenAvailable(test.imanDavenport, ({ f }) => f)),
      pImanDavenport: valueOrNull(whenAvailable(test.imanDavenport, ({ p }) => p)),
      kendallW: test.concordance,
      ...distances,
      degenerate: false,
    }
  },
}

function isAllTied({ unavailable }: Unavailable): boolean {
  return unavailable === 'all_tied' || unavailable === 'all_differences_zero'
}

/** Vectors give differences, or the pairs they come from. */
export function differencesOf(input: Input): Estimate<Differences> {
  if (input.d !== undefined) return knownDifferences(withNaNPolicy(input.d, input.nanPolicy).values)
  const { a, b } = pairsWithNaNPolicy(input.a, input.b, input.nanPolicy)
  return pairedDifferences(a, b)
}

function zerosOf(input: Input): Zeros {
  return input.zeros === 'pratt' ? 'pratt' : 'drop'
}
