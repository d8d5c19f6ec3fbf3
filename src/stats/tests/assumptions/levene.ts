import { meanOf, sumOfSquares } from '../../describe/moments.ts'
import { sorted, sortedQuantile } from '../../describe/quantile.ts'
import { trimmed } from '../../describe/robust.ts'
import { firstUnusable } from '../../describe/usable.ts'
import { fisherFSurvival } from '../../distributions/fisher-f.ts'
import { type Estimate, unavailable } from '../../estimate.ts'

export type Centre = 'mean' | 'median' | 'trimmed'

export interface Levene {
  readonly w: number
  readonly df1: number
  readonly df2: number
  readonly p: number
}

/**
 * Whether groups have equal spread: an analysis of variance of distances from each group's centre (Levene 1960). From
 * the median it is robust (Brown & Forsythe 1974, JASA 69:364); `trimmed` cuts 5% at each end.
 */
export function leveneTest(groups: readonly (readonly number[])[], centre: Centre = 'median'): Estimate<Levene> {
  if (groups.length < 2) return unavailable('too_few_values')
  const reason = firstUnusable(groups)
  if (reason !== undefined) return reason
  const distances = groups.map(group => distancesFrom(group, centre))
  const all = distances.flat()
  const df1 = groups.length - 1
  const df2 = all.length - groups.length
  if (df2 < 1) return unavailable('too_few_values')
  const within = distances.reduce((sum, group) => sum + sumOfSquares(group), 0)
  if (within === 0) return unavailable('zero_variance')
  const grand = meanOf(all)
  const between = distances.reduce((sum, group) => sum + group.length * (meanOf(group) - grand) ** 2, 0)
  const w = between / df1 / (within / df2)
  return { w, df1, df2, p: fisherFSurvival(w, df1, df2) }
}

function distancesFrom(group: readonly number[], centre: Centre): number[] {
  const from = centreOf(group, centre)
  return (centre === 'trimmed' ? trimmed(group, 0.05) : group).map(value => Math.abs(value - from))
}

function centreOf(group: readonly number[], centre: Centre): number {
  switch (centre) {
    case 'mean':
      return meanOf(group)
    case 'median':
      return sortedQuantile(sorted(group), 0.5)
    case 'trimmed':
      return meanOf(trimmed(group, 0.05))
  }
}
