import { midranks } from '../describe/ranks.ts'
import { unusableRanks } from '../describe/usable.ts'
import { type Estimate, isAvailable, requireThat, unavailable } from '../estimate.ts'
import { type Correlation, fisherInterval, pearsonCorrelation } from './pearson.ts'

/**
 * How close to a monotone relation: Pearson's correlation of the ranks, ties at their mean rank (Spearman 1904). The p-value
 * is the t approximation, good from about 10 pairs; the interval widens Fisher's as Bonett & Wright 2000 (Psychometrika 65:23) do.
 */
export function spearmanCorrelation(
  x: readonly number[],
  y: readonly number[],
  { level = 0.95 }: { readonly level?: number } = {},
): Estimate<Correlation> {
  requireThat(x.length === y.length, `pairs: as many values on both sides, not ${x.length} and ${y.length}`)
  const reason = unusableRanks(x, 2) ?? unusableRanks(y, 2)
  if (reason !== undefined) return reason
  const ofRanks = pearsonCorrelation(midranks(x), midranks(y), { level })
  if (!isAvailable(ofRanks)) return unavailable('all_tied')
  const { estimate, pairs } = ofRanks
  return { ...ofRanks, interval: fisherInterval(estimate, pairs, level, 1 + estimate ** 2 / 2) }
}
