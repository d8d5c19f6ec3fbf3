import type { Dataset } from '../dataset/dataset.ts'

/** What the runs took, all together. */
export interface Totals {
  /** null: no run said what it cost. */
  readonly cost_usd: number | null
  readonly budget_usd: number | null
  /** Seconds of all runs, one after the other. */
  readonly wall_s: number | null
}

export function totalsOf({ experiments, evidence }: Dataset): Totals {
  const isCostKnown = evidence.runs.some(run => run.cost_usd !== null)
  const spent = experiments.map(({ standing }) => standing?.cost_usd ?? null)
  const ofRuns = evidence.runs.reduce((sum, run) => sum + (run.cost_usd ?? 0), 0)
  const walls = evidence.runs.flatMap(run => run.wall_s ?? [])
  const budgets = experiments.flatMap(({ standing }) => standing?.budget_usd ?? [])
  return {
    // The ledger knows of attempts that came to nothing, too.
    cost_usd: !isCostKnown
      ? null
      : spent.every(usd => usd !== null)
        ? spent.reduce((sum, usd) => sum + usd, 0)
        : ofRuns,
    budget_usd: budgets.length === 0 ? null : budgets.reduce((sum, usd) => sum + usd, 0),
    wall_s: walls.length === 0 ? null : walls.reduce((sum, wall) => sum + wall, 0),
  }
}
