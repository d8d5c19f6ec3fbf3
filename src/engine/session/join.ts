import type { Journal } from '../../record/journal/journal.ts'
import { followClock } from '../../record/runs/settle.ts'
import { addWorker, type RecordedWorker, type WorkerKind } from '../../record/runs/workers.ts'
import { AssayError } from '../../util/errors.ts'
import type { Moment } from '../../util/time.ts'
import { ownIdentity, presentWorkers } from '../status/experiment-status.ts'

/**
 * Becomes a worker of this experiment. Two `run`s at once would plan against each other: the second is told about the
 * first.
 */
export function joinExperiment(journal: Journal, kind: WorkerKind, slots: number, moment: Moment): number {
  return journal.transaction(() => {
    if (kind === 'run') refuseBesideRun(journal)
    const own = ownIdentity()
    followClock(journal, own.bootId)
    return addWorker(journal, { ...own, kind, slots }, moment)
  })
}

export function refuseBesideRun(journal: Journal): void {
  for (const other of presentWorkers(journal)) if (other.kind === 'run') throw busy(other)
}

function busy(other: RecordedWorker): AssayError {
  const since = new Date(other.joinedAt).toISOString().replace('T', ' ').slice(0, 19)
  return new AssayError(
    'busy',
    `another \`assay run\` is working on this experiment: process ${other.pid} on ${other.host}, since ${since} UTC`,
    {
      hint: 'Wait for it, end it with `assay stop <dir>`, or help it with `assay worker <dir>`.',
      facts: { pid: other.pid, host: other.host },
    },
  )
}
