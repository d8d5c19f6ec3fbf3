import type { EarlyStop } from '../../define/experiment.ts'
import { bestOf, type Goal, lossesOf, reported, type SeriesSoFar, type Stopper } from '../stopper.ts'

type Asha = Extract<EarlyStop, { type: 'asha' }>

/**
 * Asynchronous successive halving (Li et al., A System for Massively Parallel Hyperparameter Tuning, MLSys 2020), in
 * the form that stops runs rather than pausing them. On a rung a run is as good as its best up to there. It continues
 * only while it is among the best 1/eta of those that have come as far, always including the first: so the first runs
 * are cut hard, and a run that passed may be overtaken before the next rung.
 */
export function asha({ min_iter, eta }: Asha, goal: Goal, what = 'runs'): Stopper {
  return (running, all) =>
    running.flatMap(series => {
      const rung = lastRung(series.values.length, min_iter, eta)
      if (rung === null) return []
      const lossOn = (other: SeriesSoFar) => bestOf(lossesOf(other, goal).slice(0, rung))
      const there = all.filter(({ values }) => values.length >= rung).map(lossOn)
      const places = Math.max(1, Math.floor(there.length / eta))
      const own = lossOn(series)
      const better = there.filter(loss => loss < own).length
      if (better < places) return []
      const facts = `${better} of ${there.length} ${what} were better than its ${reported(own, goal)}`
      const room = places === 1 ? 'only the best one goes' : `only the best ${places} go`
      return [{ run: series.run.name, reason: `asha, iteration ${rung}: ${facts}, and ${room} on` }]
    })
}

/** The highest of `min_iter × eta^k` that is not above the iterations made; null before the first. */
function lastRung(iterations: number, minIter: number, eta: number): number | null {
  if (iterations < minIter) return null
  let rung: number = minIter
  for (let next: number = minIter * eta; next <= iterations; next *= eta) rung = Math.floor(next)
  return rung
}
