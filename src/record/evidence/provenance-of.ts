import type { Experiment } from '../../define/experiment.ts'
import { AssayError } from '../../util/errors.ts'
import type { JsonObject } from '../../util/json.ts'
import { journalFile } from '../directory/experiment-directory.ts'
import { definitionOf, readExperiment } from '../journal/experiment-row.ts'
import { Journal } from '../journal/journal.ts'

/** What an experiment was, and what it was run on. */
export interface Origin {
  readonly definition: Experiment
  /** Of each process that worked on it, oldest first. */
  readonly processes: readonly JsonObject[]
}

export function originOf(dir: string): Origin {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
    const rows = journal.all<{ facts: string }>('SELECT facts FROM provenance ORDER BY id')
    return {
      definition: definitionOf(journal, row),
      processes: rows.map(({ facts }) => JSON.parse(facts) as JsonObject),
    }
  } finally {
    journal.close()
  }
}
