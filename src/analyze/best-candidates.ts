import type { Arm } from './arms.ts'
import { type Reading, readValue } from './reading.ts'

/** Nobody reads so many comparisons, and a correction for so many leaves little to be found. */
export const mostCandidates = 100

/** How many are compared where there are too many, unless another number is asked for. */
export const fewCandidates = 20

/**
 * The candidates with the best means over their runs, the best first and those without a value last. They are chosen by the values that they are compared
 * on, so that p has to be corrected for all of them, chosen or not.
 */
export function bestCandidates(candidates: readonly Arm[], reading: Reading, most: number): readonly Arm[] {
  const sign = reading.goal === 'maximize' ? -1 : 1
  return candidates
    .map((arm, place) => {
      const mean = meanOf(arm, reading)
      return { arm, place, rank: mean === null ? Number.POSITIVE_INFINITY : sign * mean }
    })
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, most)
    .map(({ arm }) => arm)
}

function meanOf({ runs }: Arm, reading: Reading): number | null {
  let sum = 0
  let count = 0
  for (const run of runs) {
    const read = readValue(run, reading)
    if (!('value' in read) || !Number.isFinite(read.value)) continue
    sum += read.value
    count++
  }
  return count === 0 ? null : sum / count
}
