import type { RandomSource } from '../../random/random-source.ts'

/** Draws units with replacement and divides the sum of one quantity by the sum of another over the units drawn. */
export function fillRatiosOfSums(
  above: Float64Array,
  below: Float64Array,
  random: RandomSource,
  into: Float64Array,
): void {
  const chosen = new Int32Array(above.length)
  for (let round = 0; round < into.length; round++) {
    random.fillBelow(above.length, chosen)
    let top = 0
    let bottom = 0
    for (let at = 0; at < chosen.length; at++) {
      const unit = chosen[at] ?? 0
      top += above[unit] ?? 0
      bottom += below[unit] ?? 0
    }
    into[round] = top / bottom
  }
}
