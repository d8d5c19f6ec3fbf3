import { isAvailable } from '../stats/estimate.ts'
import { passAtK, passHatK } from '../stats/index.ts'
import { AssayError } from '../util/errors.ts'

/**
 * The compared statistic. `mean` of units; `median` or `iqm` (the mean without the lowest and the highest quarter) of
 * units; `pass@k` and `pass^k`: the probability that one, or that all, of k attempts at a task succeed, from all
 * attempts at it (Chen et al. 2021; Yao et al. 2024). `wins`: how much more often a candidate run is better than a
 * control run than worse, by order alone.
 */
export type Statistic =
  | { readonly kind: 'mean' | 'median' | 'iqm' | 'wins' }
  | { readonly kind: 'pass@' | 'pass^'; readonly k: number }

export const theMean: Statistic = { kind: 'mean' }

export function parseStatistic(text: string): Statistic {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === 'mean' || trimmed === 'median' || trimmed === 'iqm' || trimmed === 'wins') return { kind: trimmed }
  const [, kind, k] = /^(pass@|pass\^)([1-9]\d{0,5})$/.exec(trimmed) ?? []
  if (kind === 'pass@' || kind === 'pass^') return { kind, k: Number(k) }
  throw new AssayError('usage', `expected mean, median, iqm, wins, pass@<k> or pass^<k>, e.g. pass@3, got "${text}"`)
}

/** As in the title of a table; null if it need not be stated. */
export function statisticText(statistic: Statistic): string | null {
  return statistic.kind === 'mean' ? null : 'k' in statistic ? `${statistic.kind}${statistic.k}` : statistic.kind
}

/** The number of one task from all attempts at it; null if there are too few. */
export function passOf(attempts: readonly number[], { kind, k }: Extract<Statistic, { k: number }>): number | null {
  const task = { attempts: attempts.length, successes: attempts.filter(value => value === 1).length }
  const found = kind === 'pass@' ? passAtK(task, k) : passHatK(task, k)
  return isAvailable(found) ? found : null
}
