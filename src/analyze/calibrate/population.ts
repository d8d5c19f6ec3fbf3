import type { RandomSource } from '../../stats/index.ts'
import type { Samples } from '../samples.ts'
import type { Weighting } from '../units/weighting.ts'

/** The data that an experiment would have measured, one number per unit. */
export interface Draw {
  readonly control: readonly number[]
  readonly candidate: readonly number[]
  /** If units have different weights. */
  readonly weighting?: Weighting
  /** The same without averaging: every rollout of every task, pair by pair. */
  readonly rollouts?: { readonly control: readonly number[]; readonly candidate: readonly number[] }
}

/** A kind of data with a known true difference, to count how often a method finds it. */
export interface Population {
  readonly name: string
  /** `ranked`: each run's wins against the other arm, which the draw computes. */
  readonly kind: 'numbers' | 'yes-no' | 'ranked'
  readonly isPaired: boolean
  /** Its draws have weights or strata. */
  readonly isWeighted?: true
  /** The situation it represents, in a sentence. */
  readonly meaning: string
  /** Candidate minus control if there is a difference; otherwise 0. */
  readonly difference: number
  /** An experiment with this many units: tasks, seeds, pairs, or runs of an arm. */
  draw(n: number, hasDifference: boolean, random: RandomSource): Draw
}

export function samplesFrom(
  { control, candidate, weighting }: Pick<Draw, 'control' | 'candidate' | 'weighting'>,
  { isPaired, kind }: Pick<Population, 'isPaired' | 'kind'>,
): Samples {
  return {
    control,
    candidate,
    pairedBy: isPaired ? ['unit'] : null,
    unit: 'unit',
    keys: [],
    ...(weighting && { weighting }),
    isCounted: kind === 'yes-no',
    ...(kind === 'ranked' && { isRanked: true as const }),
    dropped: { control: [], candidate: [], unmatched: [] },
  }
}
