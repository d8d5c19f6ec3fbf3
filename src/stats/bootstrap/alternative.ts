/** Where the other bound goes: `greater` asks how low the truth may be and leaves the top open, `less` the reverse. */
export type Alternative = 'two-sided' | 'greater' | 'less'

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The interval whose ends are at these shares of a distribution, one end open if only one side is asked about. */
export function intervalAt(level: number, alternative: Alternative, boundAt: (share: number) => number): Interval {
  const miss = 1 - level
  switch (alternative) {
    case 'two-sided':
      return { low: boundAt(miss / 2), high: boundAt(1 - miss / 2) }
    case 'greater':
      return { low: boundAt(miss), high: Number.POSITIVE_INFINITY }
    case 'less':
      return { low: Number.NEGATIVE_INFINITY, high: boundAt(1 - miss) }
  }
}
