/** Of the answer, as far as rounding lets a function tell. */
const tolerance = 1e-12

/**
 * Where a growing function is 0, between a point where it is negative and one where it is not: false position, with the value at an
 * end that stays halved (Dowell & Jarratt 1971, the Illinois method, BIT 11:168). A straight line takes one step, a smooth curve
 * a few, where halving takes forty. Where a value is infinite it halves.
 */
export function zeroOf(growing: (x: number) => number, low: number, high: number): number {
  let [below, above] = [growing(low), growing(high)]
  let before = Number.NaN
  let sideBefore = 0
  for (let round = 0; round < 200 && high - low > tolerance * Math.abs(high); round++) {
    const crossing = high - (above * (high - low)) / (above - below)
    const at = crossing > low && crossing < high ? crossing : (low + high) / 2
    const value = growing(at)
    if (value === 0 || Math.abs(at - before) <= tolerance * Math.abs(at)) return at
    before = at
    const side = Math.sign(value)
    if (side < 0) [low, below] = [at, value]
    else [high, above] = [at, value]
    if (side === sideBefore) {
      if (side < 0) above /= 2
      else below /= 2
    }
    sideBefore = side
  }
  return (low + high) / 2
}
