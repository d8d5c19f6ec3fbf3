import { valueOrNull } from '../../stats/estimate.ts'
import { counterRandom, type RandomSource } from '../../stats/index.ts'
import { adjustedP } from '../adjust.ts'
import { infer } from '../compare/infer/infer.ts'
import { methodFor } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import { normalDeviates } from './normal-deviates.ts'
import { samplesFrom } from './population.ts'

/** How often three metrics of three candidates against one control lead to any false claim. */
export interface FamilyError {
  /** The true gain in score of one candidate: 0, there is none. */
  readonly gain: number
  readonly n: number
  /** Experiments with a false claim after Holm's correction over all nine tests. */
  readonly wrong: number
  /** The same without a correction. */
  readonly uncorrected: number
  /** The true difference was found; null: there is none. */
  readonly found: number | null
}

const alpha = 0.05
const candidates = 3
const gains = [0, 3] as const

export function* familyErrors(
  { seed, trials, resamples }: { readonly seed: number; readonly trials: number; readonly resamples: number },
  sizes: readonly number[] = [5, 15],
): Generator<FamilyError> {
  for (const gain of gains)
    for (const n of sizes) {
      const random = counterRandom(seed, 1e6 * (1 + gain) + n)
      let [wrong, uncorrected, found] = [0, 0, 0]
      for (let trial = 0; trial < trials; trial++) {
        const drawing = { seed: seed + trial, resamples, rng: 'assay' } as const
        const options = { level: 1 - alpha, alternative: 'two-sided', drawing } as const
        const family = drawnFamily(n, gain, random)
        const enough = alpha / family.length
        const p = family.map(({ samples }) => valueOrNull(infer(samples, methodFor(samples), { ...options, enough }).p))
        const corrected = adjustedP(p, 'holm')
        const isClaimed = (of: readonly (number | null)[], isReal: boolean): boolean =>
          family.some((test, at) => test.isReal === isReal && (of[at] ?? 1) <= alpha)
        if (isClaimed(corrected, false)) wrong++
        if (isClaimed(p, false)) uncorrected++
        if (isClaimed(corrected, true)) found++
      }
      yield {
        gain,
        n,
        wrong: wrong / trials,
        uncorrected: uncorrected / trials,
        found: gain > 0 ? found / trials : null,
      }
    }
}

/**
 * A score, a duration and whether it was solved, on the same tasks: tasks that are hard for one arm are hard for all.
 */
function drawnFamily(n: number, gain: number, random: RandomSource) {
  const z = normalDeviates(random)
  const hard = Array.from({ length: n }, z)
  const arm = (more: number) => ({
    score: hard.map(task => task + z() + more),
    seconds: hard.map(task => Math.exp(0.5 * task + 0.5 * z())),
    solved: hard.map(() => Number(random.next() < 0.95)),
  })
  const control = arm(0)
  return Array.from({ length: candidates }, (_, at) => {
    const more = at === 0 ? gain : 0
    const candidate = arm(more)
    const test = (metric: keyof typeof control, kind: 'numbers' | 'yes-no', isReal = false) => ({
      isReal,
      samples: samplesFrom({ control: control[metric], candidate: candidate[metric] }, { isPaired: true, kind }),
    })
    return [test('score', 'numbers', more > 0), test('seconds', 'numbers'), test('solved', 'yes-no')]
  }).flat() satisfies readonly { readonly samples: Samples; readonly isReal: boolean }[]
}
