import { binomialCoefficient, counterRandom, type RandomSource } from '../../stats/index.ts'
import type { Draw } from './population.ts'
import type { Answer, Question } from './procedure.ts'

/** Beyond this many rearrangements, trials sample them. */
const mostListed = 2_000

export function isListed({ control, candidate }: Draw, isPaired: boolean): boolean {
  const n = control.length + candidate.length
  return (isPaired ? 2 ** control.length : binomialCoefficient(n, control.length)) <= mostListed
}

/**
 * The permutation test with few samples, for thousands of trials. The interval is not computed: it contains the truth
 * exactly when the test does not reject the truth.
 */
export function quickPermutation(draw: Draw, isPaired: boolean, question: Question): Answer {
  const { truth, alpha, seed, resamples } = question
  const p = (shift: number): number => {
    const random = counterRandom(seed)
    return isPaired ? flippedP(draw, shift, resamples, random) : shuffledP(draw, shift, resamples, random)
  }
  const rejects = p(0) <= alpha
  return { covers: truth === 0 ? !rejects : p(truth) > alpha, width: null, rejects }
}

function flippedP({ control, candidate }: Draw, shift: number, samples: number, random: RandomSource): number {
  const values = Float64Array.from(candidate, (value, at) => value - (control[at] ?? 0) - shift)
  const observed = values.reduce((sum, value) => sum + value, 0)
  const signs = new Int32Array(values.length)
  let outside = 1
  for (let round = 0; round < samples; round++) {
    random.fillBelow(2, signs)
    let sum = 0
    for (let at = 0; at < values.length; at++) sum += signs[at] === 0 ? (values[at] ?? 0) : -(values[at] ?? 0)
    if (Math.abs(sum) >= Math.abs(observed) - 1e-9) outside++
  }
  return outside / (samples + 1)
}

function shuffledP({ control, candidate }: Draw, shift: number, samples: number, random: RandomSource): number {
  const pooled = Float64Array.from([...candidate.map(value => value - shift), ...control])
  const centre = pooled.reduce((sum, value) => sum + value, 0) / pooled.length
  const size = candidate.length
  let observed = 0
  for (let at = 0; at < pooled.length; at++) {
    pooled[at] = (pooled[at] ?? 0) - centre
    if (at < size) observed += pooled[at] ?? 0
  }
  let outside = 1
  for (let round = 0; round < samples; round++) {
    let sum = 0
    for (let at = 0; at < size; at++) {
      const chosen = at + random.below(pooled.length - at)
      const value = pooled[chosen] ?? 0
      pooled[chosen] = pooled[at] ?? 0
      pooled[at] = value
      sum += value
    }
    if (Math.abs(sum) >= Math.abs(observed) - 1e-9) outside++
  }
  return outside / (samples + 1)
}
