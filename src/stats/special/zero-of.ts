/** Of the result, within the rounding error of the function. */
const tolerance = 1e-12

/**
 * The zero of an increasing function, between a point where it is negative and one where it is not: false position,
 * with the value at an end that stays halved (Dowell & Jarratt 1971, the Illinois method, BIT 11:168). A smooth curve
 * takes about eight evaluations instead of forty by bisection. Every fourth step is a bisection, so that no function
 * takes much longer than that.
 */
export function zeroOf(growing: (x: number) => number, low: number, high: number): number {
  let [below, above] = [growing(low), growing(high)]
  let sideBefore = 0
  for (let round = 1; round < 400 && high - low > tolerance * Math.abs(high); round++) {
    const crossing = high - (above * (high - low)) / (above - below)
    // Slightly inside: once the guess is right, this brings the other end to it.
    const inside = (tolerance / 2) * Math.abs(high)
    const isUsable = round % 4 !== 0 && Number.isFinite(crossing)
    const at = isUsable ? Math.min(Math.max(crossing, low + inside), high - inside) : (low + high) / 2
    const value = growing(at)
    if (value === 0) return at
    const side = Math.sign(value)
    if (side < 0) [low, below] = [at, value]
    else [high, above] = [at, value]
    if (side === sideBefore && side < 0) above /= 2
    if (side === sideBefore && side > 0) below /= 2
    sideBefore = side
  }
  return (low + high) / 2
}
