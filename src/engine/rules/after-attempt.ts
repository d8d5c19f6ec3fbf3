import type { Limits } from '../../define/limits.ts'
import { type Outcome, unkillableClass } from '../../define/outcome.ts'
import type { AttemptMode, Job } from '../../define/run.ts'
import { lostClass, lostFailure, type NextState, type RunHistory, takenAwayClass } from '../../record/runs/settle.ts'
import { sha256 } from '../../util/hash.ts'

/** The longest wait before a retry. */
const maxBackoffMs = 10 * 60_000

export interface AttemptEnd {
  readonly job: Job
  readonly outcome: Outcome
  /** Whether it is known to have cost anything. */
  readonly hasSpent: boolean
  readonly limits: Limits
  /** On the machine's monotonic clock. */
  readonly elapsed: number
  /** Whether a cancelled run returns to the others at once (a worker that leaves) or waits for the next call. */
  readonly giveBack: boolean
}

/** What happens to a run after an attempt: done, retried after a while, or quarantined. Pure. */
export function afterAttempt(end: AttemptEnd, history: RunHistory): NextState {
  return stateAfter(end, { ...history, mode: modeAfter(end) })
}

/** A finished run is not executed again only because its score is missing. */
function modeAfter({ job, outcome }: AttemptEnd): AttemptMode {
  if (outcome.only_scoring_left) return 'score'
  return outcome.kind === 'completed' ? 'run' : job.mode
}

function stateAfter(end: AttemptEnd, history: RunHistory): NextState {
  const { outcome } = end
  switch (outcome.kind) {
    case 'completed':
    case 'stopped_early':
      return done({ ...history, failure: null, failures: 0 })
    case 'cancelled':
      if (outcome.error_class === lostClass) return afterLost(lostWith(end, history), history)
      // This says nothing about the run: nothing is counted, and there is no wait.
      if (outcome.error_class === takenAwayClass) return { ...done(history), state: 'ready' }
      return end.giveBack ? { ...done(history), state: 'ready' } : done(history)
    case 'cost_limited':
      return afterCut(end, history)
    case 'failed':
    case 'timed_out':
    case 'infra_error':
    case 'rate_limited':
      return afterFailure(end, outcome.kind, history)
  }
}

/** Lost with a worker elsewhere, as its executor reported. */
const lostWith = (end: AttemptEnd, { failure, failures }: RunHistory): LostAttempt => ({
  ...end,
  only_scoring_left: end.outcome.only_scoring_left ?? false,
  lostBefore: failure === lostFailure ? failures : 0,
  isByRestart: false,
})

/** An attempt that had spent nothing when the budget was used up is treated as if it had never started. */
function afterCut({ job, outcome, hasSpent }: AttemptEnd, history: RunHistory): NextState {
  const { limit = 'run_budget_usd', limit_at = limit === 'run_budget_usd' ? job.run_budget_usd : null } = outcome
  if (limit === 'budget_usd' && !hasSpent) return { ...done(history), state: 'ready' }
  return { ...done(history), cutAt: limit === 'unknown_price' ? 0 : limit_at }
}

type Retryable = 'failed' | 'timed_out' | 'infra_error' | 'rate_limited'

function afterFailure(end: AttemptEnd, kind: Retryable, history: RunHistory): NextState {
  const failure = failureKey(end.outcome)
  // Being asked to wait is not a failure: it never ends in quarantine.
  const failures = kind === 'rate_limited' ? 0 : history.failure === failure ? history.failures + 1 : 1
  const used = history.retries[kind] ?? 0
  const next = { ...done({ ...history, failure, failures }), cutAt: kind === 'timed_out' ? end.job.timeout_ms : null }
  if (failures >= end.limits.quarantine_after) return { ...next, state: 'quarantined' }
  if (used >= end.limits.retries[kind] || end.outcome.error_class === unkillableClass) return next
  return {
    ...next,
    state: 'ready',
    readyAt: dueAfter(end.elapsed, backoff(end, used)),
    retries: { ...history.retries, [kind]: used + 1 },
  }
}

/** 0 would mean at once. */
const dueAfter = (elapsed: number, waitMs: number): number => Math.max(1, Math.ceil(elapsed + waitMs))

export interface LostAttempt extends Pick<AttemptEnd, 'limits' | 'elapsed'> {
  readonly job: Pick<Job, 'run' | 'attempt'>
  readonly only_scoring_left: boolean
  /** How many attempts directly before this one were lost. */
  readonly lostBefore: number
  /** Whether the process was gone because the machine was restarted: no run causes that. */
  readonly isByRestart: boolean
}

/**
 * What happens to a run whose attempt was lost with its process. The run may have ended that process: so it waits,
 * longer each time, comes after all other runs, and is quarantined if it happens too often. Pure.
 */
export function afterLost(lost: LostAttempt, history: RunHistory): NextState {
  const { only_scoring_left, lostBefore, limits } = lost
  const next = { ...done(history), ...(only_scoring_left && { mode: 'score' as const }) }
  if (lost.isByRestart) return { ...next, state: 'ready' }
  const failures = lostBefore + 1
  const counted = { ...next, failure: lostFailure, failures }
  if (failures >= mostLost(limits)) return { ...counted, state: 'quarantined' }
  // The first time, a user most likely ended the process.
  const waitMs = lostBefore === 0 ? 0 : backoff(lost, lostBefore - 1)
  // In a search, the order decides what is stopped: a kill should not change which runs are stopped.
  const keepsPlace = lostBefore === 0 && history.isOfTrial
  return { ...counted, state: 'ready', readyAt: keepsPlace ? 0 : dueAfter(lost.elapsed, waitMs) }
}

/** Quarantine at the first loss would exclude whatever was running when the power failed. */
export const mostLost = ({ quarantine_after }: Pick<Limits, 'quarantine_after'>): number =>
  Math.max(fewestLost, quarantine_after)

const fewestLost = 3

const done = (history: RunHistory): NextState => ({ state: 'finished', readyAt: 0, cutAt: null, ...history })

/** Two failures are the same if a person would call them the same: kind and cause, not the wording. */
export function failureKey(outcome: Outcome): string {
  return `${outcome.kind}:${outcome.error_class ?? outcome.signal ?? outcome.exit_code ?? ''}`
}

/**
 * Whole milliseconds, doubling, with jitter of ±50% derived from run and attempt: runs that failed together do not
 * return together.
 */
function backoff(end: Pick<LostAttempt, 'job' | 'limits'>, used: number): number {
  const jitter = 0.5 + Number.parseInt(sha256(`${end.job.run.key}:${end.job.attempt}`).slice(0, 8), 16) / 0xffffffff
  // 2 ** 1024 is infinite, and zero times infinity is NaN.
  const doubled = end.limits.retries.backoff_ms * 2 ** Math.min(used, 64)
  return Math.round(Math.min(maxBackoffMs, doubled * jitter))
}
