import { findRun } from '../../record/journal/find-run.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { AssayError } from '../../util/errors.ts'

/** The run that `--rerun` names: a word for several of them is another option's. */
export function runToRerun(journal: Journal, name: string): ReturnType<typeof findRun> {
  try {
    return findRun(journal, name)
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== 'not_found') throw error
    const meant = severalRuns[name.toLowerCase()]
    throw meant === undefined
      ? error
      : new AssayError('not_found', `--rerun ${name}: ${error.message}`, { hint: meant })
  }
}

const failed =
  'What failed or timed out is run again with --retry-failed; all that is quarantined with --rerun quarantined.'
const severalRuns: { readonly [word: string]: string } = {
  failed,
  timed_out: failed,
  all: 'Everything is run again with --fresh.',
  stale: 'What is stale is run again with --stale rerun.',
}
