import { cellText, csvText, runsTable } from '../tables.ts'
import type { Layout } from './layout.ts'

/**
 * Cascade's sweep runner: the table that its collector makes and its report reads, always up to date. Its files of a run
 * (`meta.json`, `stdout.txt`, `stderr.txt`, `out/`) are those that every run here has.
 */
export const matrixJsonLayout: Layout = {
  ofExperiment({ experiment, dir, runs }) {
    const table = runsTable(experiment, dir, runs)
    // Cascade's collector writes no table without rows either.
    if (table.rows.length === 0) return []
    return [
      { path: 'aggregate/runs.csv', text: csvText(table, (column, value) => cellText(experiment, column, value)) },
    ]
  },
}
