import type { Journal } from '../journal/journal.ts'

/** What is not finished yet, of the runs in the journal: ready (perhaps backing off), or running somewhere. */
export function waiting(journal: Journal): { readonly ready: number; readonly running: number } {
  const row = journal.get<{ ready: number; running: number }>(
    `SELECT (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'ready') AS ready,
            (SELECT count(*) FROM runs WHERE generation = e.generation AND state = 'running') AS running
     FROM experiment e`,
  )
  return row ?? { ready: 0, running: 0 }
}
