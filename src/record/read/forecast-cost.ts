import { remainingTotal, type Stratum } from '../../stats/index.ts'
import type { Journal } from '../journal/journal.ts'
import type { CostForecast, Summary } from '../summary.ts'
import { isIn, type Scope } from './standing.ts'

type StillToCome = Pick<Summary, 'pending' | 'running'>

const level = 0.9

/**
 * Each variant by its own runs where there are enough; the interval is about the runs to come, not about their mean.
 * null: nothing costs anything, nothing is left to run, or too little is known.
 */
export function forecastCost(
  journal: Journal,
  { pending, running }: StillToCome,
  scope: Scope = 'experiment',
): CostForecast | null {
  const money = journal.get<{ spent: number; under_way: number }>(
    `SELECT spent_usd AS spent,
            (SELECT coalesce(sum(cost_usd), 0) FROM attempts WHERE ended_at IS NULL) AS under_way FROM experiment`,
  )
  if (money === undefined || money.spent === 0 || pending + running === 0) return null
  const strata = costStrata(journal, scope)
  const offered = strata.reduce((sum, { toCome }) => sum + toCome, 0)
  // Runs that the planner has not offered yet.
  const unseen = Math.max(0, pending + running - offered)
  const rest = remainingTotal(strata, unseen, level)
  if (rest === null) return null
  // What runs under way have spent already is part of what they are predicted to cost.
  const settled = money.spent - money.under_way
  const total = (usd: number) => Math.max(money.spent, settled + usd)
  return {
    estimate_usd: total(rest.estimate),
    low_usd: total(rest.low),
    high_usd: total(rest.high),
    level,
    runs: strata.reduce((sum, { n }) => sum + n, 0),
    to_come: offered + unseen,
  }
}

/** Runs that were cut say little about what a run costs. */
const isOver = `r.state = 'finished' AND r.outcome IN ('completed', 'failed', 'timed_out', 'stopped_early')`

/** By variant: the costs of its finished runs, all their attempts together, and how many of these are not finished. */
function costStrata(journal: Journal, scope: Scope): readonly Stratum[] {
  return journal.all<Stratum & { variant: string }>(
    `SELECT (r.spec ->> 'params') || coalesce(r.spec ->> 'ablation', '') AS variant,
            count(c.usd) FILTER (WHERE ${isOver}) AS n,
            coalesce(sum(c.usd) FILTER (WHERE ${isOver}), 0) AS sum,
            coalesce(sum(c.usd * c.usd) FILTER (WHERE ${isOver}), 0) AS sumOfSquares,
            count(*) FILTER (WHERE r.state IN ('ready', 'running') AND ${isIn(scope, 'r')}) AS toCome
     FROM runs r LEFT JOIN (
       SELECT run_id, sum(cost_usd) AS usd FROM attempts WHERE cost_usd IS NOT NULL GROUP BY run_id
     ) c ON c.run_id = r.id
     WHERE ${isIn('experiment', 'r')} GROUP BY 1`,
  )
}
