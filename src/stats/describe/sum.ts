/**
 * The sum, with the rounding errors collected separately and added last (Neumaier 1974, Z. Angew. Math. Mech. 54:39).
 */
export function sum(values: Iterable<number>): number {
  let total = 0
  let lost = 0
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  // An infinite total has no rounding error to add, only Infinity − Infinity.
  return Number.isFinite(total) ? total + lost : total
}
