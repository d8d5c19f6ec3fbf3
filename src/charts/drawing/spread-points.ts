/**
 * The distance from the middle at which each of many values is drawn so that none hides another: wide where they are
 * dense, and evenly filled by van der Corput's sequence, which looks random but is not (like R's `geom_quasirandom`).
 * Between −1 and 1, in the order of the given values.
 */
export function spreadPoints(values: readonly number[]): readonly number[] {
  const order = values.map((_, at) => at).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0) || a - b)
  const low = values[order[0] ?? 0] ?? 0
  const high = values[order.at(-1) ?? 0] ?? 0
  const density = densityOf(values, low, high)
  // A few points need no room: spread out, they would suggest that the other axis has a meaning.
  const reach = Math.min(1, values.length / 24)
  const offsets = new Array<number>(values.length).fill(0)
  order.forEach((at, rank) => {
    offsets[at] = reach * (2 * evenly(rank + 1, 2) - 1) * density(values[at] ?? 0)
  })
  return offsets
}

const bins = 32

/** The density of values around one, relative to the densest place: a smoothed histogram. */
function densityOf(values: readonly number[], low: number, high: number): (value: number) => number {
  const width = high - low
  if (!(width > 0)) return () => 1
  const place = (value: number): number => Math.min(bins - 1, Math.floor(((value - low) / width) * bins))
  let counts = new Array<number>(bins).fill(0)
  for (const value of values) counts[place(value)] = (counts[place(value)] ?? 0) + 1
  for (let round = 0; round < 2; round++)
    counts = counts.map((count, at) => ((counts[at - 1] ?? 0) + 2 * count + (counts[at + 1] ?? 0)) / 4)
  const most = Math.max(...counts)
  return value => {
    // Between the middles of two bins, so that the outline has no steps.
    const exact = ((value - low) / width) * bins - 0.5
    const left = Math.max(0, Math.min(bins - 1, Math.floor(exact)))
    const share = Math.max(0, Math.min(1, exact - left))
    const [a, b] = [counts[left] ?? 0, counts[Math.min(bins - 1, left + 1)] ?? 0]
    return (a + share * (b - a)) / most
  }
}

/** Van der Corput's sequence: the number's digits in that base, mirrored at the point. Two bases fill a square (Halton). */
export function evenly(index: number, base: number): number {
  let [value, digit, rest] = [0, 1 / base, index]
  while (rest > 0) {
    value += (rest % base) * digit
    rest = Math.floor(rest / base)
    digit /= base
  }
  return value
}
