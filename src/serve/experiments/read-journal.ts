import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'

/** A read-only journal for the duration of the work: writers never wait for it. */
export function readJournal<T>(dir: string, work: (journal: Journal) => T): T {
  const journal = Journal.openToRead(journalFile(dir))
  try {
    return work(journal)
  } finally {
    journal.close()
  }
}
