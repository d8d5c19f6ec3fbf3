import { cellText, csvText, runsTable } from '../tables.ts'
import type { Layout } from './layout.ts'

/**
 * Cascade's sweep runner: the table of its collector, which its report reads, always up to date. Its files of a run
 * (`meta.json`, `stdout.txt`, `stderr.txt`, `out/`) are those of every run here.
 */
export const matrixJsonLayout: Layout = {
  ofExperiment({ experiment, dir, runs }) {
    const table = runsTable(experiment, dir, runs)
    // Like Cascade's collector, writes no table without rows.
    if (table.rows.length === 0) return []
    return [
      { path: 'aggregate/runs.csv', text: csvText(table, (column, value) => cellText(experiment, column, value)) },
    ]
  },
}
