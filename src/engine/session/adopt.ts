import type { AttemptResult, UnfinishedAttempt } from '../../define/job.ts'
import type { Executor } from '../../execute/executor.ts'
import { type WorkerRow, workersWithAttempts } from '../../record/journal/workers.ts'
import { type NextState, type RunHistory, settleAttempt } from '../../record/runs/settle.ts'
import { takeOver } from '../../record/runs/unfinished.ts'
import { type Settling, settleJob } from '../loop/settle-job.ts'
import { isPresent } from './presence.ts'

/**
 * Takes in what dead workers left behind: attempts whose result is on disk count; the others are ended with all their
 * processes, and their runs are ready again. Nothing of the dead runs any more when this returns.
 */
export async function adoptFromDead(executor: Executor, settling: Settling): Promise<void> {
  const { journal, workerId, clock } = settling
  const isDead = (worker: WorkerRow) => worker.left_at !== null || !isPresent(worker, clock.now())
  const dead = workersWithAttempts(journal).filter(worker => worker.id !== workerId && isDead(worker))
  const attempts = dead.flatMap(worker => takeOver(journal, worker.id, workerId, clock.now()))
  if (attempts.length === 0) return
  const adopted = new Map((await executor.adopt(attempts)).map(one => [one.token, one]))
  let lost = 0
  for (const attempt of attempts) {
    const { result = null, spent_usd = 0 } = adopted.get(attempt.token) ?? {}
    if (result !== null) {
      settling.emit(settleJob(settling, { ...attempt, grace_ms: settling.limits().grace_ms }, result).event)
      continue
    }
    lost++
    settleAttempt(journal, lostResult(attempt, spent_usd, clock.now()), workerId, readyAgain, clock.now())
  }
  settling.emit({ kind: 'notice', level: 'info', message: account(attempts.length - lost, lost) })
}

function account(finished: number, lost: number): string {
  const parts = [
    finished > 0 ? `${finished} had finished and ${finished === 1 ? 'counts' : 'count'}` : '',
    lost > 0 ? `${lost} ${lost === 1 ? 'was' : 'were'} cut off and will run again` : '',
  ]
  return `attempts of a process that ended unexpectedly: ${parts.filter(part => part !== '').join(', ')}`
}

/** An attempt that was cut off says nothing about the run: it is not a failure, and does not count as one. */
function lostResult(attempt: UnfinishedAttempt, spentUsd: number, now: number): AttemptResult {
  return {
    token: attempt.token,
    outcome: { kind: 'cancelled', error_class: 'lost', message: 'the process that ran it ended first' },
    started_at: attempt.started_at,
    ended_at: now,
    wall_s: (now - attempt.started_at) / 1000,
    cpu_s: null,
    max_rss_bytes: null,
    metrics: [],
    series: [],
    cost_usd: null,
    cost_at_least_usd: spentUsd,
    outputs: [],
    command: [],
    cwd: '',
    has_directory: false,
  }
}

const readyAgain = (history: RunHistory): NextState => ({ ...history, state: 'ready', ready_at: 0, cut_at: null })
