/**
 * A one-sided test of a difference of shares: the probability of an outcome this far above, exactly and by the normal
 * tail.
 */
export interface ShareTest {
  readonly estimate: number
  chanceAbove(difference: number): number
  normalTail(difference: number): number
}

/** The precision of an interval's ends. */
const precision = 1e-7

/** The lower end of the interval: below it, a difference would be rejected. */
export function scoreEnd({ estimate, chanceAbove, normalTail }: ShareTest, tail: number): number {
  if (estimate <= -1) return -1
  const isRejected = (difference: number): boolean => chanceAbove(difference) <= tail
  // The end by the normal tail is close: from there outwards and inwards.
  const near = halved(-1, estimate, difference => normalTail(difference) <= tail)
  let step = (estimate - near) / 16 + precision
  let [low, high] = [near, near]
  while (low > -1 && !isRejected(low)) [low, high, step] = [Math.max(-1, low - step), low, 2 * step]
  while (high < estimate && isRejected(high)) [low, high, step] = [high, Math.min(estimate, high + step), 2 * step]
  return halved(low, high, isRejected)
}

function halved(from: number, to: number, isRejected: (difference: number) => boolean): number {
  let [low, high] = [from, to]
  while (high - low > precision) {
    const middle = (low + high) / 2
    if (isRejected(middle)) low = middle
    else high = middle
  }
  return low
}
