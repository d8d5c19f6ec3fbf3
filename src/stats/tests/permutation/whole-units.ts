/** Above this many steps of the total, counting by sum costs more than sampling. */
const mostUnits = 20_000

/**
 * The values as whole multiples of a power of ten, when that is what they are: solved or not, counts, percentages.
 * Such sums can be counted exactly for any number of values.
 */
export function wholeUnits(values: readonly number[]): readonly number[] | undefined {
  for (let scale = 1; scale <= 1e6; scale *= 10) {
    const units = values.map(value => Math.round(value * scale))
    const total = units.reduce((sum, unit) => sum + Math.abs(unit), 0)
    if (total > mostUnits) return undefined
    if (units.every((unit, at) => Math.abs(unit - (values[at] ?? 0) * scale) <= 1e-9 * Math.max(1, Math.abs(unit))))
      return units
  }
  return undefined
}
