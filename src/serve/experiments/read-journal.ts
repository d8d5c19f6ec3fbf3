import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'

/** A journal, only to look at, for as long as the work takes: writers never wait for it. */
export function readJournal<T>(dir: string, work: (journal: Journal) => T): T {
  const journal = Journal.openToRead(journalFile(dir))
  try {
    return work(journal)
  } finally {
    journal.close()
  }
}
