/**
 * p values of a difference of means by rearranging the data. Two-sided counts values at least as far from 0 on either
 * side.
 */
export interface PermutationTest {
  readonly estimate: number
  readonly greater: number
  readonly less: number
  readonly twoSided: number
  /** The number of rearrangements, counted or sampled. */
  readonly permutations: number
  readonly isExact: boolean
}

/** Used only if there are too many rearrangements to count. */
export interface Sampling {
  /** Uniform in [0, 1), with 53 random bits. */
  readonly random: () => number
  readonly samples: number
}

/** If fewer are as extreme, the count is mostly chance. */
const fewest = 10

/** (1 + hits) / (1 + samples): the observed arrangement is one of them, so p is never 0 (Phipson & Smyth 2010, Stat. Appl. Genet. 9:39). */
export function sampledP(
  draw: () => number,
  observed: number,
  slack: number,
  samples: number,
  boundAbove: (sum: number) => number,
): Pick<PermutationTest, 'greater' | 'less' | 'twoSided' | 'permutations'> {
  let above = 1
  let below = 1
  let outside = 1
  for (let at = 0; at < samples; at++) {
    const sum = draw()
    if (sum >= observed - slack) above++
    if (sum <= observed + slack) below++
    if (Math.abs(sum) >= Math.abs(observed) - slack) outside++
  }
  const total = samples + 1
  // If hardly any is as extreme, their number is chance: the tail is bounded instead, if that is smaller. Both tails
  // are mirror images.
  const known = new Map<number, number>()
  const boundOf = (sum: number): number => {
    const found = known.get(sum) ?? boundAbove(sum)
    known.set(sum, found)
    return found
  }
  const bounded = (count: number, sum: number, sides: number): number =>
    count > fewest ? count / total : Math.min(count / total, sides * boundOf(sum - slack))
  return {
    greater: bounded(above, observed, 1),
    less: bounded(below, -observed, 1),
    twoSided: bounded(outside, Math.abs(observed), 2),
    permutations: samples,
  }
}
