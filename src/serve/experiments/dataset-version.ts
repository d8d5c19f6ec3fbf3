import type { Journal } from '../../record/journal/journal.ts'

/** Two datasets of the same version are the same: a run that ends, a new plan, another definition or label make another. */
export function datasetVersion(journal: Journal): string {
  const row = journal.get<{
    generation: number
    fingerprint: string
    settled: number
    labels: number
    created: number
  }>(
    `SELECT generation, fingerprint, settled, created_at AS created, (SELECT count(*) FROM labels) AS labels
     FROM experiment`,
  )
  if (row === undefined) return 'none'
  return [row.created, row.generation, row.settled, row.labels, row.fingerprint.slice(0, 12)].join('-')
}
