import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'

/** The journal of an experiment directory, open for as long as the work takes. */
export function withJournal<T>(dir: string, work: (journal: Journal) => T): T {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    return work(journal)
  } finally {
    journal.close()
  }
}
