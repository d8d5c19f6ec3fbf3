import { failureCause } from '../util/failure-cause.ts'

/** How an attempt ended. */
export const outcomeKinds = [
  'completed',
  'failed',
  'timed_out',
  'cost_limited',
  'rate_limited',
  'stopped_early',
  'cancelled',
  'infra_error',
] as const

export type OutcomeKind = (typeof outcomeKinds)[number]

/** Outcomes with causes outside the run, which say nothing about it: the next `run` executes it again. */
export const cutOff: readonly OutcomeKind[] = ['cancelled', 'rate_limited', 'infra_error']

/** The class of an attempt of which a process lives on that nobody can end: beside it no other may be started by itself. */
export const unkillableClass = 'unkillable'

export interface Outcome {
  readonly kind: OutcomeKind
  readonly exit_code?: number | null
  readonly signal?: string | null
  /** A stable word for the cause: `exit_7`, `signal_SIGSEGV`, `missing_output`, `spawn_ENOENT`, a JavaScript error's name. */
  readonly error_class?: string
  /** One sentence for a person. */
  readonly message?: string
  /** The line of its output that says why it failed; for programs, whose message only gives the exit code. */
  readonly said?: string
  readonly unsupported_environment?: boolean
  /** How it was isolated, and what the host provided: results of different isolation are not alike. */
  readonly sandbox?: string
  /** Which limit cut it: `run_budget_usd`, `budget_usd`, `run_calls`, `run_tokens`, `unknown_price`. */
  readonly limit?: string
  /** Where that limit stood: once it is higher, the run is made again. */
  readonly limit_at?: number | null
  /** The run's own work is done and kept; only its scoring failed. The next attempt only scores it. */
  readonly only_scoring_left?: boolean
  /** How an agent's work ended, in the agent's own words: `submitted`, `exit_cost`, `submitted (exit_context)`. */
  readonly exit_status?: string
}

/** Why a running attempt is asked to end; travels as the reason of its AbortSignal. */
export interface StopReason {
  readonly kind: 'timed_out' | 'cancelled' | 'cost_limited' | 'stopped_early'
  readonly message: string
}

/** Why an attempt is asked to end; null while it isn't. An abort without such a reason counts as cancelled. */
export function stopReasonOf(signal: AbortSignal): StopReason | null {
  if (!signal.aborted) return null
  return isStopReason(signal.reason) ? signal.reason : { kind: 'cancelled', message: 'cancelled' }
}

function isStopReason(reason: unknown): reason is StopReason {
  if (typeof reason !== 'object' || reason === null || !('kind' in reason)) return false
  return outcomeKinds.some(kind => kind === reason.kind)
}

/** Calls back when the signal is aborted, or at once if it is; the returned function forgets it. */
export function onStop(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback()
    return () => {}
  }
  signal.addEventListener('abort', callback, { once: true })
  return () => signal.removeEventListener('abort', callback)
}

/** Whether an outcome is the run's own fault: counted by `failed=`, fail-fast and halt rules. */
export function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'failed' || outcome.kind === 'timed_out' || outcome.kind === 'infra_error'
}

/**
 * How a run failed, in a few words: by what it said, or else by the class of its error. `KeyError`, `connection refused`,
 * `RangeError: context is full`, `exit_7`, `timed out`. Failures with the same words are one way of failing. `printed`: the
 * last line of its output, where the outcome was recorded without it.
 */
export function failureMode({ kind, error_class, message = '', said }: Outcome, printed = ''): string {
  if (kind !== 'failed' && kind !== 'infra_error') return kind.replaceAll('_', ' ')
  if (error_class === undefined) return failureCause(said ?? message) || kind.replaceAll('_', ' ')
  if (error_class.startsWith('signal_')) return error_class
  if (error_class.startsWith('exit_')) return failureCause(said ?? printed) || error_class
  const cause = failureCause(message)
  return cause === '' || cause.startsWith(error_class) ? cause || error_class : `${error_class}: ${cause}`
}

/** The same with the kind of outcome in front: `failed: KeyError`, `timed out`. */
export function namedFailure(outcome: Outcome, printed = ''): string {
  const kind = outcome.kind.replaceAll('_', ' ')
  const mode = failureMode(outcome, printed)
  return mode === kind ? kind : `${kind}: ${mode}`
}

/** How an experiment stands: printed by `run` and `status --json`, and kept in `summary.json`. The states add up to `planned`. */
export interface Summary {
  readonly dir: string
  readonly planned: number
  readonly completed: number
  readonly failed: number
  readonly timed_out: number
  readonly cost_limited: number
  readonly rate_limited: number
  readonly stopped_early: number
  readonly cancelled: number
  readonly infra_error: number
  readonly quarantined: number
  readonly stale: number
  readonly running: number
  readonly pending: number
  /** Completed before this call. */
  readonly reused: number
  readonly attempts: number
  readonly cost_usd: number
  readonly overrun_usd: number
  readonly wall_s: number
}

/** The predicted cost of the whole experiment, from the cost of its runs so far. */
export interface CostForecast {
  readonly estimate_usd: number
  readonly low_usd: number
  readonly high_usd: number
  /** Of the interval. */
  readonly level: number
  /** How many runs it rests on, and how many are still to come. */
  readonly runs: number
  readonly to_come: number
}

/** How a call ended, for the shell: see `docs/exit-codes.md`. `isUnanswered`: no run has a value of the primary metric. */
export function exitCodeOf(summary: Summary, interrupted: boolean, isUnanswered = false): number {
  const bad = summary.failed + summary.timed_out + summary.infra_error + summary.quarantined
  const unfinished =
    summary.pending + summary.running + summary.cancelled + summary.rate_limited + summary.cost_limited + summary.stale
  if (interrupted && unfinished > 0) return 130
  if (bad > 0) return 1
  if (unfinished > 0) return 3
  return isUnanswered ? 1 : 0
}
