import type { Journal } from '../journal/journal.ts'

/** What is not finished yet, of the runs in the journal: ready (perhaps backing off), or running somewhere. */
export function waiting(journal: Journal): { readonly ready: number; readonly running: number } {
  const row = journal.get<{ ready: number; running: number }>(
    `SELECT count(*) FILTER (WHERE state = 'ready') AS ready, count(*) FILTER (WHERE state = 'running') AS running
     FROM runs WHERE generation = (SELECT generation FROM experiment) AND state IN ('ready', 'running')`,
  )
  return row ?? { ready: 0, running: 0 }
}
