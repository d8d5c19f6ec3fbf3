import { isAvailable } from '../../stats/estimate.ts'
import { counterRandom, type RandomSource } from '../../stats/index.ts'
import { detectableMean } from '../compare/infer/detectable.ts'
import { infer, isSignificant } from '../compare/infer/infer.ts'
import { methodForNumbers } from '../compare/method.ts'
import type { Samples } from '../samples.ts'
import { normalDeviates } from './normal-deviates.ts'
import { samplesFrom } from './population.ts'

interface ClaimedDifference {
  readonly data: string
  readonly n: number
  /** The median of the differences that the experiments state. */
  readonly effect: number
  readonly side: 'two-sided'
  readonly stated: number
  readonly found: number
  /** Monte Carlo standard error of the share found. */
  readonly error: number
}

const power = 0.8
const usual = { alpha: 0.05, alternative: 'two-sided', largest: Number.POSITIVE_INFINITY } as const

/**
 * How often the difference that `assay compare` says it could have found is found, if the true one is that large: each
 * experiment states its own, and another experiment looks for it.
 */
export function* claimedDifferences(
  options: { readonly seed: number; readonly trials: number; readonly resamples: number },
  isChosen: (data: string) => boolean = () => true,
  sizes: readonly number[] = [10, 20, 50],
): Generator<ClaimedDifference> {
  const { seed, trials, resamples } = options
  for (const [which, { data, directions, draw }] of kinds.entries()) {
    if (!directions.some(({ name }) => isChosen(data + name))) continue
    for (const n of sizes) {
      const random = counterRandom(seed, 1e6 * (which + 1) + n)
      const sizesClaimed: number[] = []
      const found = directions.map(() => 0)
      for (let trial = 0; trial < trials; trial++) {
        const drawing = { seed: seed + trial, resamples, rng: 'assay' } as const
        const asked = { level: 0.95, alternative: 'two-sided', drawing } as const
        const claim = claimOf(differences(draw(n, random)), asked)
        if (claim === null) continue
        sizesClaimed.push(claim)
        const others = draw(n, random)
        for (const [at, { sign }] of directions.entries()) {
          const samples = differences(others.map(value => value + sign * claim))
          if (isSignificant(samples, methodForNumbers(samples), 0.05, asked)) found[at] = (found[at] ?? 0) + 1
        }
      }
      const effect = sizesClaimed.toSorted((a, b) => a - b)[sizesClaimed.length >> 1] ?? Number.NaN
      for (const [at, { name, sign }] of directions.entries()) {
        const share = (found[at] ?? 0) / sizesClaimed.length
        const error = Math.sqrt((share * (1 - share)) / sizesClaimed.length)
        yield { data: data + name, n, effect: sign * effect, side: 'two-sided', stated: power, found: share, error }
      }
    }
  }
}

function claimOf(samples: Samples, asked: Parameters<typeof infer>[2]): number | null {
  const method = methodForNumbers(samples)
  const { interval } = infer(samples, method, asked)
  if (!isAvailable(interval)) return null
  return detectableMean(samples, method, interval, { ...usual, power }).detectable?.difference ?? null
}

const differences = (values: readonly number[]): Samples =>
  samplesFrom({ control: values.map(() => 0), candidate: values }, { isPaired: true, kind: 'numbers' })

interface Kind {
  readonly data: string
  readonly directions: readonly { readonly name: string; readonly sign: 1 | -1 }[]
  /** Differences whose true mean is 0. */
  readonly draw: (n: number, random: RandomSource) => readonly number[]
}

const kinds: readonly Kind[] = [
  {
    data: 'what a comparison could have found, normal differences',
    directions: [{ name: '', sign: 1 }],
    draw: (n, random) => Array.from({ length: n }, normalDeviates(random)),
  },
  {
    data: 'what a comparison could have found, differences with one long tail',
    directions: [
      { name: ', along the tail', sign: 1 },
      { name: ', against the tail', sign: -1 },
    ],
    draw(n, random) {
      const z = normalDeviates(random)
      return Array.from({ length: n }, () => Math.exp(z()) - Math.exp(0.5))
    },
  },
]
