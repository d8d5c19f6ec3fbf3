import { amountText, percentText } from '../../../analyze/numbers.ts'
import type { RankedVariant, RankedVariants } from '../../../analyze/search/ranked-variants.ts'
import { counted, unitWord } from '../../../analyze/words.ts'

/** The variants that a search tried, and what a run counts with: `sweep best` and the report say the same of them. */
export interface Found extends RankedVariants {
  /** Whether a run counts with the best value that it reported, not with the last. */
  readonly isBestReported: boolean
}

/** `loss 0.0123 (95 % CI 0.011 to 0.0137), mean of 5 seeds`. */
export function resultText({ result, units }: RankedVariant, { metric, unit, isBestReported }: Found): string {
  const amount = amountText(metric)
  const which = isBestReported ? ' (of each run the best it reported)' : ''
  const value = `${metric} ${result.mean === null ? '–' : amount(result.mean)}${which}`
  if (result.count === 1) return `${value}, from a single run`
  const of = `${counted(units, unitWord(unit))}${result.count > units ? `, ${result.count} runs` : ''}`
  const { ci, reason } = result
  const interval =
    ci === null || ci.low === null || ci.high === null
      ? `no interval: ${reason ?? 'not known'}`
      : `${percentText(ci.level)} CI ${amount(ci.low)} to ${amount(ci.high)}`
  return `${value} (${interval}), mean of ${of}`
}

/** What the best of several is worth: less than it looks. */
export function worthText({ compared, tied, runs }: Pick<RankedVariants, 'compared' | 'tied' | 'runs'>): string {
  if (compared < 2) return 'There is nothing to compare it with.'
  if (tied > 0)
    return `${counted(tied, 'other variant')} came out exactly as good: it is named because it was tried before ${tied === 1 ? 'that' : 'them'}.`
  const single = runs === 1 ? ' A single run does not say how far off it is, either.' : ''
  return `It was chosen because it came out best, so expect less of it next time.${single}`
}

/** Variants that could not be set beside the others; null: there are none. */
export function incompleteText({ incomplete, runs }: Pick<RankedVariants, 'incomplete' | 'runs'>): string | null {
  if (incomplete === 0) return null
  const lack = runs === 1 ? 'no completed run with a value' : `fewer than ${runs} completed runs with a value`
  return `Not compared: ${counted(incomplete, 'variant')} with ${lack}.`
}

/** A share of which the forest's trees disagree by more than its size may as well be none. */
export const isResolved = ({ share, deviation }: { readonly share: number; readonly deviation: number }): boolean =>
  deviation < share
