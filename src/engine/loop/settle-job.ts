import type { Limits } from '../../define/limits.ts'
import { isFailure } from '../../define/outcome.ts'
import type { AttemptResult, Job } from '../../define/run.ts'
import type { Journal } from '../../record/journal/journal.ts'
import { stderrTail } from '../../record/places.ts'
import { hasSpent, settleAttempt } from '../../record/runs/settle.ts'
import { type Clock, momentOf } from '../../util/time.ts'
import type { EngineEvent } from '../call.ts'
import { afterAttempt } from '../rules/after-attempt.ts'

export interface Settling {
  readonly journal: Journal
  readonly workerId: number
  readonly dir: string
  readonly clock: Clock
  readonly emit: (event: EngineEvent) => void
  readonly limits: () => Limits
  /** Whether cancelled runs return to other workers at once. */
  readonly giveBack: boolean
}

export interface SettledJob {
  /** What listeners are sent after the commit. */
  readonly event: EngineEvent
  /** Whether the run has ended, not just the attempt. */
  readonly isRunOver: boolean
}

/** Settles the result of an attempt that was given up: its cost is booked, and nothing else counts. */
export function settleLate({ journal, workerId, clock }: Settling, result: AttemptResult): void {
  const now = clock.now()
  settleAttempt(journal, result, workerId, history => ({ ...history, state: 'ready', readyAt: 0, cutAt: null }), now)
}

/** Writes a job's result into the journal. The engine decides when it ended: now, unless an earlier time is known. */
export function settleJob(settling: Settling, job: Job, result: AttemptResult, endedAt?: number): SettledJob {
  const { journal, clock, dir } = settling
  const { now, elapsed } = momentOf(clock)
  const { outcome } = result
  const { giveBack } = settling
  const end = { job, outcome, hasSpent: hasSpent(result), limits: settling.limits(), elapsed, giveBack }
  const settled = settleAttempt(
    journal,
    result,
    settling.workerId,
    history => afterAttempt(end, history),
    now,
    Math.min(now, endedAt ?? now),
  )
  if (settled === 'unknown' || settled === 'superseded') {
    const message =
      settled === 'unknown'
        ? `a result of ${job.run.name} does not count: its attempt is not in the journal`
        : `a late result of ${job.run.name} is kept but does not count: another attempt has taken its place`
    return { event: { kind: 'notice', level: 'warning', message }, isRunOver: false }
  }
  const { next, cost_usd, charged_usd } = settled
  return {
    event: {
      kind: 'attempt_ended',
      run: job.run.name,
      attempt: job.attempt,
      outcome: result.outcome,
      wall_s: result.wall_s,
      cost_usd,
      charged_usd,
      metrics: result.metrics,
      retry_in_ms: next.state === 'ready' ? Math.max(0, next.readyAt - elapsed) : null,
      quarantined: next.state === 'quarantined',
      stderr_tail: isFailure(result.outcome) ? stderrTail(dir, job.run.name) : '',
    },
    isRunOver: next.state !== 'ready',
  }
}
