import type { Random } from '../../util/random.ts'
import type { ModelError, ModelFault } from '../model-error.ts'

export interface RetryPolicy {
  /** How often a call is tried in all, where trying again can help. */
  readonly tries: number
  /** Milliseconds before the first retry; doubles from then on. */
  readonly backoff_ms: number
  readonly longest_backoff_ms: number
  /** If a provider asks to wait longer than this, assay doesn't: the run ends, and is executed again later. */
  readonly longest_retry_after_ms: number
  /** For users who prefer stopping to waiting. */
  readonly fail_on_rate_limit: boolean
}

export const defaultRetryPolicy: RetryPolicy = {
  tries: 6,
  backoff_ms: 1000,
  longest_backoff_ms: 60_000,
  longest_retry_after_ms: 300_000,
  fail_on_rate_limit: false,
}

/** How often each fault is worth retrying, whatever the policy allows; those not listed never are. */
const worthRetrying: { readonly [F in ModelFault]?: number } = {
  rate_limited: Number.POSITIVE_INFINITY,
  overloaded: Number.POSITIVE_INFINITY,
  server_error: 3,
  connection_failed: 3,
  no_answer: 2,
  answer_cut: 3,
  malformed_response: 2,
  malformed_answer: 2,
  empty_answer: 2,
}

/**
 * Milliseconds to wait before the next try; null: not to be tried again. `retries` is how often this fault was
 * retried in this call already, `tries` the how-many-th try has just failed.
 */
export function waitBeforeRetry(
  error: Pick<ModelError, 'fault' | 'retry_after_ms'>,
  { tries, retries }: { readonly tries: number; readonly retries: number },
  policy: RetryPolicy,
  random: Pick<Random, 'next'>,
): number | null {
  if (tries >= policy.tries || retries >= (worthRetrying[error.fault] ?? 0)) return null
  if (error.fault === 'rate_limited' && policy.fail_on_rate_limit) return null
  const requestedMs = error.retry_after_ms
  if (requestedMs !== null && requestedMs > policy.longest_retry_after_ms) return null
  // Half of it is random: calls that were refused together must not return together.
  const doubled = Math.min(policy.longest_backoff_ms, policy.backoff_ms * 2 ** Math.min(tries - 1, 30))
  const jittered = doubled / 2 + (doubled / 2) * random.next()
  // Never earlier than requested, and not all at exactly that moment either.
  return requestedMs === null ? jittered : requestedMs + Math.min(requestedMs, policy.backoff_ms) * 0.5 * random.next()
}
