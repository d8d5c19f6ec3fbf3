import type { Interval } from '../interval.ts'
import type { Alternative } from '../tests/alternative.ts'

/**
 * The interval whose ends are at these shares of a distribution. `greater` bounds the truth from below and leaves the
 * top open, `less` the reverse.
 */
export function intervalAt(level: number, alternative: Alternative, boundAt: (share: number) => number): Interval {
  const miss = 1 - level
  switch (alternative) {
    case 'two-sided':
      return { level, low: boundAt(miss / 2), high: boundAt(1 - miss / 2) }
    case 'greater':
      return { level, low: boundAt(miss), high: Infinity }
    case 'less':
      return { level, low: -Infinity, high: boundAt(1 - miss) }
  }
}
