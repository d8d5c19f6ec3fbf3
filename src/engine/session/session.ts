import type { Limits } from '../../define/experiment.ts'
import type { Executor } from '../../execute/executor.ts'
import { journalFile } from '../../record/directory/experiment-directory.ts'
import { Journal } from '../../record/journal/journal.ts'
import { removeWorker, type WorkerKind } from '../../record/journal/workers.ts'
import type { EngineEvent } from '../events.ts'
import type { Surroundings } from '../request.ts'
import { adoptFromDead } from './adopt.ts'
import { joinExperiment } from './join.ts'

/** One process's time with an experiment: from joining the journal to leaving it. */
export interface Session {
  readonly journal: Journal
  readonly dir: string
  readonly workerId: number
  readonly executor: Executor
  readonly startedAt: number
  readonly emit: (event: EngineEvent) => void
}

/** Joins, takes in what dead workers left, does the work, and leaves, whatever happens in between. */
export async function withSession<T>(
  options: {
    readonly dir: string
    readonly kind: WorkerKind
    readonly executor: Executor
    readonly limits: Limits
    readonly around: Surroundings
  },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const { dir, kind, executor, limits, around } = options
  const { clock, listeners } = around
  const emit = (event: EngineEvent) => {
    for (const listener of listeners) listener(event)
  }
  const journal = Journal.open(journalFile(dir))
  try {
    const startedAt = clock.now()
    const workerId = joinExperiment(journal, kind, executor.slots, startedAt)
    try {
      await adoptFromDead(executor, { journal, workerId, dir, clock, emit, limits: () => limits, giveBack: false })
      return await work({ journal, dir, workerId, executor, startedAt, emit })
    } finally {
      removeWorker(journal, workerId, clock.now())
    }
  } finally {
    await executor.close()
    journal.close()
  }
}
