import { midranks, tieCorrection } from '../../describe/ranks.ts'
import { chiSquaredSurvival } from '../../distributions/chi-squared.ts'
import { fisherFSurvival } from '../../distributions/fisher-f.ts'
import { type Estimate, requireThat, unavailable } from '../../estimate.ts'

export interface Friedman {
  /** Of each system over all tasks; 1 is best. */
  readonly averageRanks: readonly number[]
  readonly chiSquared: number
  readonly df: number
  readonly p: number
  /** Agreement of the tasks about the order, from 0 to 1 (Kendall's W). */
  readonly concordance: number
  /** Less conservative than χ² (Iman & Davenport 1980, Commun. Stat. 9:571). None when all tasks agree fully. */
  readonly imanDavenport: Estimate<{ readonly f: number; readonly p: number }>
}

/** Whether several systems rank alike over tasks; rows are tasks, columns systems (Friedman 1937, JASA 32:675, corrected for ties). */
export function friedmanTest(scores: readonly (readonly number[])[], higherIsBetter = true): Estimate<Friedman> {
  const tasks = scores.length
  const systems = scores[0]?.length ?? 0
  requireThat(
    scores.every(row => row.length === systems),
    'a score of every system on every task',
  )
  if (tasks === 0 || systems === 0) return unavailable('no_data')
  if (scores.some(row => row.some(Number.isNaN))) return unavailable('not_a_number')
  if (systems < 2 || tasks < 2) return unavailable('too_few_values')
  const ranks = scores.map(row => midranks(higherIsBetter ? row.map(score => -score) : row))
  const sums = Array.from({ length: systems }, (_, system) => ranks.reduce((sum, row) => sum + (row[system] ?? 0), 0))
  const ties = ranks.reduce((sum, row) => sum + tieCorrection(row), 0)
  const untied = 1 - ties / (tasks * systems * (systems ** 2 - 1))
  if (untied <= 0) return unavailable('all_tied')
  const centre = (tasks * (systems + 1)) / 2
  const between = sums.reduce((sum, rankSum) => sum + (rankSum - centre) ** 2, 0)
  const chiSquared = (12 * between) / (tasks * systems * (systems + 1) * untied)
  const df = systems - 1
  return {
    averageRanks: sums.map(rankSum => rankSum / tasks),
    chiSquared,
    df,
    p: chiSquaredSurvival(chiSquared, df),
    concordance: chiSquared / (tasks * df),
    imanDavenport: imanDavenport(chiSquared, tasks, df),
  }
}

function imanDavenport(chiSquared: number, tasks: number, df: number): Friedman['imanDavenport'] {
  const left = tasks * df - chiSquared
  if (left <= 1e-9 * tasks * df) return unavailable('zero_variance')
  const f = ((tasks - 1) * chiSquared) / left
  return { f, p: fisherFSurvival(f, df, df * (tasks - 1)) }
}
