import { isAvailable } from '../../../stats/estimate.ts'
import { pairedScoreTest, pairedTTest } from '../../../stats/index.ts'
import { adjustedP } from '../../adjust.ts'
import type { Correction } from '../../choices.ts'
import { isBinary } from '../../compare/method.ts'

/**
 * Which of `scores[variant][block]` can't be distinguished from the best, by the tests that `compare` uses on few pairs
 * (t, or the paired score test for yes or no), corrected for all variants together.
 */
export function tiesOnFewBlocks(
  scores: readonly (readonly number[])[],
  best: number,
  { alpha, correction }: { readonly alpha: number; readonly correction: Correction },
): readonly boolean[] {
  const top = scores[best] ?? []
  const tests = scores.map((own, at) => (at === best ? null : pOf(own, top)))
  const adjusted = adjustedP(tests, correction, tests.length - 1)
  return scores.map((own, at) => {
    const p = adjusted[at] ?? tests[at] ?? null
    // Always behind by the same amount, or never: then there is no test, and no uncertainty.
    return at === best || (p === null ? isNeverBehind(own, top) : p > alpha)
  })
}

function pOf(own: readonly number[], top: readonly number[]): number | null {
  if (!isBinary([...own, ...top])) {
    const test = pairedTTest(own, top)
    return isAvailable(test) ? test.p : null
  }
  const onlyOwn = own.filter((value, block) => value > (top[block] ?? 0)).length
  const onlyTop = own.filter((value, block) => value < (top[block] ?? 0)).length
  const test = pairedScoreTest({ both: own.length - onlyOwn - onlyTop, onlyA: onlyOwn, onlyB: onlyTop, neither: 0 })
  return isAvailable(test) ? test.p : null
}

const isNeverBehind = (own: readonly number[], top: readonly number[]): boolean =>
  own.every((value, block) => Math.abs(value - (top[block] ?? 0)) < 1e-12)
