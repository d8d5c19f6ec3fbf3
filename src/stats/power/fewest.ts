/**
 * The smallest whole n from `from` on whose power reaches the target and, as far as the next few show, stays there: the
 * power of exact tests rises in a sawtooth. Undefined if there is none below `most`.
 */
export function fewestRuns(
  powerAt: (n: number) => number,
  target: number,
  { from, most }: { readonly from: number; readonly most: number },
): number | undefined {
  const isEnough = (n: number): boolean => powerAt(n) >= target
  let high = from
  while (!isEnough(high)) {
    if (high >= most) return undefined
    high = Math.min(most, Math.max(high + 1, Math.ceil(high * 1.5)))
  }
  let low = Math.max(from - 1, Math.floor(high / 1.5) - 1)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  const teeth = Math.min(10, Math.ceil(high / 10))
  for (let next = high + 1; next <= high + teeth && next <= most; next++) if (!isEnough(next)) high = next + 1
  return high
}
