import type { Experiment } from '../define/experiment.ts'
import { limitsInForce } from '../define/limits.ts'
import { cutOff } from '../define/outcome.ts'
import type { BoundTarget } from '../define/target.ts'
import type { Executor } from '../execute/executor.ts'
import {
  definitionOf,
  limitsSet,
  ownDefinitionOf,
  planOptionsOf,
  readExperiment,
} from '../record/journal/experiment-row.ts'
import { Journal } from '../record/journal/journal.ts'
import { journalFile } from '../record/places.ts'
import { standing } from '../record/read/standing.ts'
import { endWaits } from '../record/runs/settle.ts'
import { hasBeenRun } from '../record/runs/workers.ts'
import { AssayError } from '../util/errors.ts'
import type { Surroundings, WorkEnd } from './call.ts'
import { refuseUnready } from './prepare/refuse-unready.ts'
import { reopenByRule } from './prepare/reopen-by-rule.ts'
import { refuseUnrecorded } from './repair/repair.ts'
import { type Session, withSession } from './session/session.ts'
import { mostPlanned, presentWorkers } from './status/experiment-status.ts'
import { workUntilDone } from './work.ts'

/** One call of `assay worker`. */
export interface WorkerRequest extends BoundTarget {
  readonly fingerprint: string
  readonly dir: string
  readonly executor: Executor
  readonly count: number | null
  /** Run failed and timed-out runs again. */
  readonly retryFailed: boolean
}

/** `assay worker`: helps with an existing experiment, as its journal defines it. */
export async function workOnExperiment(request: WorkerRequest, around: Surroundings): Promise<WorkEnd> {
  const { experiment, fingerprint, bound, dir, executor, count } = request
  return withSession({ dir, kind: 'worker', executor, limits: experiment.limits, around }, async session => {
    const { journal } = session
    const row = readExperiment(journal)
    if (row === undefined) throw nothingPlanned(dir)
    refuseUnrecorded(journal, dir)
    refuseWithoutSetup(session, experiment)
    await refuseUnready(
      { ...request, plan: planOptionsOf(journal, row) },
      limitsInForce(experiment.limits, limitsSet(journal, row)),
    )
    reopenFor(session, request)
    const { completed: reused, pending: to_run } = standing(journal, dir, { scope: 'call' })
    const slots = executor.slots
    const most = mostPlanned(journal, row)
    session.emit({
      kind: 'started',
      name: experiment.name,
      dir,
      planned: row.planned,
      ...(most !== null && { at_most: most }),
      reused,
      to_run,
      jobs: slots,
    })
    const work = { experiment, fingerprint, bound, kind: 'worker', slots, failFast: false, count, reused } as const
    return workUntilDone(session, work, around)
  })
}

/** Every run may need what the setup hook makes, and no worker can know that it is the one that should execute the hook. */
function refuseWithoutSetup({ journal, dir }: Session, { hooks }: Experiment): void {
  if (hooks.setup === null || hasBeenRun(journal)) return
  throw new AssayError(
    'usage',
    'this experiment has a setup hook that was never performed: only `assay run` does that',
    {
      hint: `Begin with \`assay run ${dir}\`; workers may help it.`,
    },
  )
}

/**
 * Reopens failed runs, if requested; and, if no process was working, interrupted runs, which no other process would
 * reopen. If several workers join at once, only the first does this.
 */
function reopenFor({ journal, workerId }: Session, request: WorkerRequest): void {
  const { experiment, bound, retryFailed } = request
  journal.transaction(() => {
    const isFirst = !presentWorkers(journal).some(other => other.id < workerId)
    if (isFirst) endWaits(journal)
    const kinds = [...(retryFailed ? ['failed', 'timed_out'] : []), ...(isFirst ? cutOff : [])]
    const asked = { limits: experiment.limits, bound, retryFailed, stale: null, quarantined: false }
    reopenByRule(journal, asked, ({ ended }) => kinds.includes(ended))
  })
}

/** The experiment in a directory, as it was last run and as its file had it, and the fingerprint it was run with. */
export function experimentIn(dir: string): {
  readonly experiment: Experiment
  readonly definition: Experiment
  readonly fingerprint: string
} {
  const journal = Journal.openExisting(journalFile(dir))
  try {
    const row = readExperiment(journal)
    if (row === undefined) throw nothingPlanned(dir)
    return {
      experiment: definitionOf(journal, row),
      definition: ownDefinitionOf(journal, row),
      fingerprint: row.fingerprint,
    }
  } finally {
    journal.close()
  }
}

function nothingPlanned(dir: string): AssayError {
  return new AssayError('not_found', `nothing has been planned in ${dir} yet`, {
    hint: 'Start it with `assay run -c <experiment file>` or `assay sweep <experiment file>`.',
  })
}
