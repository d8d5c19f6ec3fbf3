import type { Experiment } from '../define/experiment.ts'
import type { Target } from '../define/target.ts'
import type { Executor } from '../execute/executor.ts'
import { journalFile } from '../record/directory/experiment-directory.ts'
import { definitionOf, readExperiment } from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { standing } from '../record/read/standing.ts'
import { AssayError } from '../util/errors.ts'
import type { Surroundings } from './request.ts'
import { withSession } from './session/session.ts'
import { type WorkEnd, workUntilDone } from './work.ts'

/** One call of `assay worker`. */
export interface WorkerRequest {
  readonly experiment: Experiment
  readonly fingerprint: string
  readonly target: Target
  readonly dir: string
  readonly executor: Executor
  readonly count: number | null
}

/** `assay worker`: helps with an experiment that is already there, as its journal defines it. */
export async function workOnExperiment(request: WorkerRequest, around: Surroundings): Promise<WorkEnd> {
  const { experiment, fingerprint, target, dir, executor, count } = request
  return withSession({ dir, kind: 'worker', executor, limits: experiment.limits, around }, async session => {
    const row = readExperiment(session.journal)
    if (row === undefined) throw nothingPlanned(dir)
    const { completed: reused, pending: to_run } = standing(session.journal, dir)
    const slots = executor.slots
    session.emit({ kind: 'started', name: experiment.name, dir, planned: row.planned, reused, to_run, jobs: slots })
    const work = { experiment, fingerprint, target, kind: 'worker', slots, failFast: false, count, reused } as const
    return workUntilDone(session, work, around)
  })
}

/** The experiment in a directory, as it was last run, and the fingerprint it was run with. */
export function experimentIn(dir: string): { readonly experiment: Experiment; readonly fingerprint: string } {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined) throw nothingPlanned(dir)
    return { experiment: definitionOf(row), fingerprint: row.fingerprint }
  } finally {
    journal.close()
  }
}

function nothingPlanned(dir: string): AssayError {
  return new AssayError('not_found', `nothing has been planned in ${dir} yet`, {
    hint: 'Start it with `assay run -c <experiment file>`.',
  })
}
