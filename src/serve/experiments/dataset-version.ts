import type { Journal } from '../../record/journal/journal.ts'

/** Two datasets of the same version are the same: a run that ends, a new plan, another definition or label make another. */
export function datasetVersion(journal: Journal): string {
  const row = journal.get<{
    generation: number
    definition: string
    fingerprint: string
    settled: number
    labels: number
    created: number
  }>(
    `SELECT generation, definition_hash AS definition, fingerprint, settled, created_at AS created, (SELECT count(*) FROM labels) AS labels
     FROM experiment`,
  )
  if (row === undefined) return 'none'
  const hashes = [row.definition, row.fingerprint].map(hash => hash.slice(0, 12))
  return [row.created, row.generation, row.settled, row.labels, ...hashes].join('-')
}
