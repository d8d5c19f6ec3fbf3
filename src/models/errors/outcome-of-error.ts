import type { Outcome, OutcomeKind } from '../../define/outcome.ts'
import type { ModelError, ModelFault } from './model-error.ts'

/**
 * How a run ends whose call brought no answer. What the model itself did, such as answering nothing, is the run's
 * failure; what happened to the connection, the key or the provider says nothing about the run, and it is made again.
 */
export function outcomeOfModelError({ fault, message, hint }: ModelError): Outcome {
  return { kind: kinds[fault], error_class: fault, message: hint === undefined ? message : `${message}; ${hint}` }
}

const kinds: { readonly [F in ModelFault]: OutcomeKind } = {
  rate_limited: 'rate_limited',
  overloaded: 'rate_limited',
  server_error: 'infra_error',
  connection_failed: 'infra_error',
  no_answer: 'infra_error',
  answer_cut: 'infra_error',
  malformed_response: 'infra_error',
  missing_key: 'infra_error',
  wrong_key: 'infra_error',
  no_credit: 'infra_error',
  malformed_answer: 'failed',
  empty_answer: 'failed',
  content_filtered: 'failed',
  context_too_long: 'failed',
  unknown_model: 'failed',
  bad_request: 'failed',
  missing_recording: 'failed',
}
