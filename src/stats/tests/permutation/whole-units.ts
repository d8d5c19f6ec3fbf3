/** Above this many additions, counting by sum costs more than sampling. */
const mostSteps = 2e8
/** And above this many steps of the total. */
const mostUnits = 20_000

/**
 * The values as whole multiples of a power of ten, if they are such up to `rounding`: solved or not, counts,
 * percentages. Such sums can be counted exactly for any number of values.
 */
export function wholeUnits(values: readonly number[], rounding: number): readonly number[] | undefined {
  for (let scale = 1; scale <= 1e6; scale *= 10) {
    const units = values.map(value => Math.round(value * scale))
    const total = units.reduce((sum, unit) => sum + Math.abs(unit), 0)
    if (total > mostUnits || total * values.length > mostSteps) return undefined
    const isWhole = (unit: number, at: number) =>
      Math.abs(unit - (values[at] ?? 0) * scale) <= Math.max(1e-12 * Math.abs(unit), rounding * scale)
    if (units.every(isWhole)) return units
  }
  return undefined
}
