import type { Journal } from './journal.ts'

/** Tags and notes, of one run or (run null) of the whole experiment. */
export interface Labels {
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

export function labelsOf(journal: Journal, runId: number | null): Labels {
  const rows = journal.all<{ kind: string; text: string }>(
    'SELECT kind, text FROM labels WHERE run_id IS ? ORDER BY at, rowid',
    runId,
  )
  const texts = (kind: string) => rows.filter(row => row.kind === kind).map(row => row.text)
  return { tags: texts('tag'), notes: texts('note') }
}

export function addTag(journal: Journal, runId: number | null, tag: string, now: number): void {
  journal.run(
    `INSERT INTO labels (run_id, kind, text, at) SELECT ?1, 'tag', ?2, ?3
     WHERE NOT EXISTS (SELECT 1 FROM labels WHERE run_id IS ?1 AND kind = 'tag' AND text = ?2)`,
    runId,
    tag,
    now,
  )
}

export function removeTag(journal: Journal, runId: number | null, tag: string): boolean {
  return journal.run(`DELETE FROM labels WHERE run_id IS ? AND kind = 'tag' AND text = ?`, runId, tag) > 0
}

export function addNote(journal: Journal, runId: number | null, note: string, now: number): void {
  journal.insert(`INSERT INTO labels (run_id, kind, text, at) VALUES (?, 'note', ?, ?)`, runId, note, now)
}
