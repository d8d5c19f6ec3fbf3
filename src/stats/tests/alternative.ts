import { requireThat } from '../estimate.ts'

/** The alternative hypothesis: that a and b differ, that a is greater than b, or that it is less. */
export type Alternative = 'two-sided' | 'greater' | 'less'

/** p of a statistic whose distribution is symmetric about 0, from its upper tail. */
export function symmetricP(statistic: number, alternative: Alternative, survival: (x: number) => number): number {
  switch (alternative) {
    case 'greater':
      return survival(statistic)
    case 'less':
      return survival(-statistic)
    case 'two-sided':
      return Math.min(1, 2 * survival(Math.abs(statistic)))
  }
}

/** p from the probabilities of values at least as far above or below; two-sided is twice that of the data's side. */
export function sidedP(alternative: Alternative, isAbove: boolean, above: () => number, below: () => number): number {
  switch (alternative) {
    case 'greater':
      return above()
    case 'less':
      return below()
    case 'two-sided':
      return Math.min(1, 2 * (isAbove ? above() : below()))
  }
}

/** The three p values of an exact test. Two-sided is twice the smaller tail. */
export interface ExactP {
  readonly twoSided: number
  readonly greater: number
  readonly less: number
}

export function exactP(greater: number, less: number): ExactP {
  const upper = Math.min(1, greater)
  const lower = Math.min(1, less)
  return { greater: upper, less: lower, twoSided: Math.min(1, 2 * Math.min(upper, lower)) }
}

export function requireLevel(level: number): void {
  requireThat(level > 0 && level < 1, `a confidence level between 0 and 1, such as 0.95, not ${level}`)
}
