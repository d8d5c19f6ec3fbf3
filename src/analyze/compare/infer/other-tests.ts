import { type Estimate, isAvailable, valueOrNull, whenAvailable } from '../../../stats/estimate.ts'
import {
  type Alternative,
  brunnerMunzelTest,
  type ExactP,
  mannWhitneyExact,
  mannWhitneyNormal,
  pairedDifferences,
  signTest,
  wilcoxonExact,
  wilcoxonNormal,
  yuenTest,
} from '../../../stats/index.ts'
import { AssayError } from '../../../util/errors.ts'
import type { Drawing, OtherTest } from '../../choices.ts'
import type { Samples } from '../../samples.ts'
import type { Comparison } from '../comparison.ts'
import { isAtFloor, permutationP } from './infer.ts'

/**
 * The same question answered by a test with fewer assumptions, and by the requested ones. For information: the first
 * test decides the verdict.
 */
export function otherTests(
  samples: Samples,
  test: string,
  {
    drawing,
    alternative,
    also = [],
  }: { readonly drawing: Drawing; readonly alternative: Alternative; readonly also?: readonly OtherTest[] | undefined },
): Comparison['other_tests'] {
  const asked = also.map(name => ({ ...testOf(samples, name, alternative) }))
  // A permutation test of means says nothing about medians.
  const name = samples.pairedBy === null ? 'permutation' : 'sign-flip permutation'
  // Net wins and weighted values are not exchangeable between groups either.
  const isOfGroups = samples.pairedBy === null && (samples.isRanked || samples.weighting !== undefined)
  if (samples.across !== undefined || test === name || isOfGroups) return asked
  const found = permutationP(samples, alternative, drawing)
  return [{ test: name, p: valueOrNull(found.p), p_is_bound: isAtFloor(found) }, ...asked]
}

function testOf(
  { control, candidate, pairedBy }: Samples,
  name: OtherTest,
  alternative: Alternative,
): Comparison['other_tests'][number] {
  requireDesign(name, pairedBy !== null)
  const differences = pairedDifferences(candidate, control)
  switch (name) {
    case 'sign':
      return told(
        'sign',
        whenAvailable(whenAvailable(differences, signTest), ({ p }) => tailOf(p, alternative)),
      )
    case 'wilcoxon': {
      const exact = whenAvailable(differences, wilcoxonExact)
      return isAvailable(exact) || exact.unavailable !== 'too_many_values'
        ? told(
            'Wilcoxon',
            whenAvailable(exact, ({ p }) => tailOf(p, alternative)),
          )
        : told(
            'Wilcoxon, normal',
            whenAvailable(
              whenAvailable(differences, found => wilcoxonNormal(found, { alternative })),
              ({ p }) => p,
            ),
          )
    }
    case 'mann-whitney': {
      const exact = mannWhitneyExact(candidate, control)
      return isAvailable(exact) || exact.unavailable !== 'too_many_values'
        ? told(
            'Mann–Whitney',
            whenAvailable(exact, ({ p }) => tailOf(p, alternative)),
          )
        : told(
            'Mann–Whitney, normal',
            whenAvailable(mannWhitneyNormal(candidate, control, { alternative }), ({ p }) => p),
          )
    }
    case 'brunner-munzel':
      return told(
        'Brunner–Munzel',
        whenAvailable(brunnerMunzelTest(candidate, control, alternative), ({ p }) => p),
      )
    case 'yuen':
      return told(
        "Yuen's t",
        whenAvailable(yuenTest(candidate, control, { alternative }), ({ p }) => p),
      )
  }
}

const ofPairs: readonly OtherTest[] = ['wilcoxon', 'sign']

function requireDesign(name: OtherTest, isPaired: boolean): void {
  if (ofPairs.includes(name) === isPaired) return
  throw new AssayError(
    'usage',
    isPaired
      ? `--also ${name} is a test of independent groups, and these are pairs`
      : `--also ${name} is a test of pairs, and these are independent groups`,
    {
      hint: isPaired
        ? 'of pairs there are wilcoxon and sign; --unpaired compares the arms as groups'
        : 'of groups there are mann-whitney, brunner-munzel and yuen',
    },
  )
}

const told = (test: string, p: Estimate<number>): Comparison['other_tests'][number] => ({
  test,
  p: valueOrNull(p),
  p_is_bound: false,
})

const tailOf = (p: ExactP, alternative: Alternative): number =>
  alternative === 'two-sided' ? p.twoSided : p[alternative]
