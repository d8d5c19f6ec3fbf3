import type { Journal } from '../../record/journal/journal.ts'
import type { Table, TableRow } from './table.ts'

/** One row per reported value: run, metric, step, value; in the order of the plan and of the reports. */
export function seriesTable(journal: Journal): Table {
  const stored = journal.iterate<{ name: string; metric: string; steps: string; points: string }>(
    `SELECT r.name, s.name AS metric, s.steps, s.points FROM runs r JOIN series s ON s.attempt_id = r.attempt_id
     ORDER BY r.id, s.name`,
  )
  const rows: TableRow[] = []
  for (const { name, metric, steps, points } of stored) {
    const values = JSON.parse(points) as number[]
    for (const [index, step] of (JSON.parse(steps) as number[]).entries())
      rows.push({ run_id: name, metric, step, value: values[index] ?? null })
  }
  return { columns: ['run_id', 'metric', 'step', 'value'], rows }
}
