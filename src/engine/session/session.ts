import type { Limits } from '../../define/limits.ts'
import type { Executor } from '../../execute/executor.ts'
import { isBusy, Journal, whenFree } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'
import { heartbeat, removeWorker, type WorkerKind } from '../../record/runs/workers.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { type Clock, momentOf } from '../../util/time.ts'
import type { Surroundings } from '../call.ts'
import { announcing, type EngineEvent } from '../call.ts'
import { adoptFromDead, type RunningElsewhere } from '../loop/adopt.ts'
import { holdJournal } from './hold-journal.ts'
import { joinExperiment } from './join.ts'
import { withCleanup } from './with-cleanup.ts'

/** One process's time with an experiment: from joining the journal to leaving it. */
export interface Session {
  readonly journal: Journal
  readonly dir: string
  readonly workerId: number
  readonly executor: Executor
  readonly startedAt: number
  /** On the machine's monotonic clock. */
  readonly startedElapsed: number
  readonly emit: (event: EngineEvent) => void
  /** Attempts of dead workers that are still running elsewhere. */
  readonly runningElsewhere: readonly RunningElsewhere[]
}

/** Joins, takes over from dead workers, does the work, and leaves in any case. */
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
  const { clock } = around
  const emit = announcing(around.listeners)
  const tell = (error: unknown) => emit({ kind: 'notice', level: 'warning', message: messageOf(error) })
  const release = await holdJournal(journalFile(dir))
  const journal = opened(dir, release)
  const attention = payAttention(around)
  try {
    const inside = async () => {
      const startedAt = clock.now()
      const startedElapsed = clock.elapsed()
      const workerId = await whenFree(() => joinExperiment(journal, kind, executor.slots, momentOf(clock)))
      const leave = () => {
        clearInterval(beating)
        return whenFree(() => removeWorker(journal, workerId, momentOf(clock)), leavingMs).catch(error => {
          // The heartbeat then finds that this process was taken for dead.
          if (!isBusy(error)) throw error
        })
      }
      const beating = setInterval(() => beat(journal, workerId, executor, clock), beatMs).unref()
      return withCleanup(
        async () => {
          const settling = { journal, workerId, dir, clock, emit, limits: () => limits, giveBack: false }
          const runningElsewhere = await adoptFromDead(executor, settling)
          attention.check('interrupted while what an earlier call had left running was ended')
          return work({ journal, dir, workerId, executor, startedAt, startedElapsed, emit, runningElsewhere })
        },
        leave,
        tell,
      )
    }
    return await withCleanup(inside, () => executor.close(), tell)
  } finally {
    attention.end()
    journal.close()
    release()
  }
}

function opened(dir: string, release: () => void): Journal {
  try {
    return Journal.open(journalFile(dir))
  } catch (error) {
    release()
    throw error
  }
}

const leavingMs = 5_000

/**
 * The loop sends heartbeats and reads the answers itself; this is for hooks, and for the time before and after the
 * loop.
 */
const beatMs = 5_000

function beat(journal: Journal, workerId: number, { slots }: Executor, clock: Clock): void {
  try {
    heartbeat(journal, workerId, slots, momentOf(clock))
  } catch {
    // The next heartbeat reports it.
  }
}

/** From beginning to end: without another listener, Ctrl-C must not end this process half-way. */
function payAttention({ interrupts }: Surroundings): { check(message: string): void; end(): void } {
  let isListening = false
  let isInterrupted = false
  // An earlier interrupt is passed on at once, and again to the next listener.
  const end = interrupts(() => {
    isInterrupted = isListening
  })
  isListening = true
  return {
    check(message) {
      if (isInterrupted) throw new AssayError('interrupted', message)
    },
    end,
  }
}
