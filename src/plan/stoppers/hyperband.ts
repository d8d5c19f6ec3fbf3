import type { EarlyStop } from '../../define/experiment.ts'
import { bestOf, type Goal, lossesOf, reported, type Stopper } from '../stopper.ts'

type Hyperband = Extract<EarlyStop, { type: 'hyperband' }>

/**
 * Hyperband as in W&B sweeps. At each band (an iteration), runs are ranked by their value there; a running run is
 * stopped when it is worse than the one at rank ⌊n/eta⌋ at the last band that it has reached. The compared value is
 * that at the band (`strict`, the default since April 2024), or the best so far, which spares late bloomers. This is
 * the stopping half of Li et al., Hyperband (JMLR 18, 2018); unlike there, all runs start with the same small budget.
 */
export function hyperband(rule: Hyperband, goal: Goal, what = 'runs'): Stopper {
  return (running, all) => {
    const longest = all.reduce((length, { values }) => Math.max(length, values.length), 0)
    const thresholds = bandsOf(rule)
      .filter(band => band <= longest)
      .map(band => ({
        band,
        ...thresholdAt(
          band,
          all.map(series => lossesOf(series, goal)),
          rule.eta,
        ),
      }))
    return running.flatMap(series => {
      const reached = thresholds.findLast(({ band }) => band <= series.values.length)
      if (reached === undefined) return []
      const { band, threshold, rank, runs } = reached
      const losses = lossesOf(series, goal)
      const loss = rule.strict ? (losses[band - 1] ?? Number.NaN) : bestOf(losses)
      if (!(loss > threshold)) return []
      const own = rule.strict ? `${reported(loss, goal)} at iteration ${band}` : `best ${reported(loss, goal)}`
      const bar = `${reported(threshold, goal)}, number ${rank} of ${runs} ${what} there (eta ${rule.eta})`
      return [{ run: series.run.name, reason: `hyperband, band ${band}: ${own} is worse than ${bar}` }]
    })
  }
}

/** The iterations at which runs are compared, in rising order. */
export function bandsOf({ min_iter, max_iter, s, eta }: Hyperband): readonly number[] {
  if (max_iter !== null && s !== null)
    return Array.from({ length: s }, (_, index) => Math.floor(max_iter / eta ** (s - index))).filter(band => band >= 1)
  // A hundred bands, as W&B has them; with a small eta the first ones may coincide.
  return [...new Set(Array.from({ length: 100 }, (_, index) => Math.floor((min_iter ?? 1) * eta ** index)))]
}

function thresholdAt(
  band: number,
  all: readonly (readonly number[])[],
  eta: number,
): { readonly threshold: number; readonly rank: number; readonly runs: number } {
  const there = all.flatMap(losses => losses[band - 1] ?? []).sort((one, other) => one - other)
  const index = Math.floor(there.length / eta)
  return { threshold: there[index] ?? Number.POSITIVE_INFINITY, rank: index + 1, runs: there.length }
}
