/** The point at which an increasing function reaches `target`, to the last digits; undefined if not below `most`. */
export function reach(
  increasing: (x: number) => number,
  target: number,
  { from, most }: { readonly from: number; readonly most: number },
): number | undefined {
  let low = from
  let high = from === 0 ? 1 : from * 2
  while (increasing(high) < target) {
    if (high >= most) return undefined
    low = high
    high = Math.min(most, high * 2)
  }
  for (let step = 0; step < 200 && high - low > 1e-13 * high; step++) {
    const middle = (low + high) / 2
    if (increasing(middle) < target) low = middle
    else high = middle
  }
  return high
}

/** A fractional number of runs as whole runs: 64 stays 64 when rounding made it 64.00000000001. */
export function wholeRuns(fractional: number, least = 1): number {
  return Math.max(least, Math.ceil(fractional * (1 - 1e-12)))
}
