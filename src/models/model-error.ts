import type { Outcome, OutcomeKind } from '../define/outcome.ts'

/** Everything that can go wrong with a call, told apart by what to do about it. */
export const modelFaults = [
  'rate_limited',
  'overloaded',
  'server_error',
  'connection_failed',
  'no_answer',
  'answer_cut',
  'malformed_response',
  'malformed_answer',
  'empty_answer',
  'content_filtered',
  'context_too_long',
  'missing_key',
  'wrong_key',
  'no_credit',
  'unknown_model',
  'bad_request',
  'missing_recording',
] as const

export type ModelFault = (typeof modelFaults)[number]

export interface ModelErrorFacts {
  readonly model: string
  readonly provider: string
  readonly status?: number | undefined
  /** When the provider said to come back. */
  readonly retry_after_ms?: number | null | undefined
  /** What it cost although it failed: null where nobody knows, 0 where nothing was done. */
  readonly cost: 'nothing' | 'unknown' | 'as_used'
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** A call that brought no answer. Its message has no key in it, whatever the provider said. */
export class ModelError extends Error {
  readonly fault: ModelFault
  readonly model: string
  readonly provider: string
  readonly status: number | null
  readonly retry_after_ms: number | null
  readonly cost: ModelErrorFacts['cost']
  readonly hint: string | undefined
  /** How often it was tried; known once nobody tries again. */
  tries = 1

  constructor(fault: ModelFault, message: string, facts: ModelErrorFacts) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ModelError'
    this.fault = fault
    this.model = facts.model
    this.provider = facts.provider
    this.status = facts.status ?? null
    this.retry_after_ms = facts.retry_after_ms ?? null
    this.cost = facts.cost
    this.hint = facts.hint
  }
}

export interface ContextFacts {
  readonly used: number | null
  readonly allowed: number | null
}

/** The prompt leaves no room for an answer in the model's context. */
export class ContextTooLong extends ModelError {
  /** Tokens of the prompt, estimated or as the provider counted them; null: nobody said. */
  readonly used: number | null
  /** Tokens that prompt and answer may have together; null: nobody said. */
  readonly allowed: number | null

  constructor(
    message: string,
    facts: Omit<ModelErrorFacts, 'cost'> & ContextFacts & { readonly cost?: ModelErrorFacts['cost'] },
  ) {
    super('context_too_long', message, { cost: 'nothing', ...facts })
    this.name = 'ContextTooLong'
    this.used = facts.used
    this.allowed = facts.allowed
  }
}

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

/** The tries of a call took as long as the caller allows. It says nothing about the model. */
export class TriesOutOfTime extends Error {
  override readonly name = 'TriesOutOfTime'

  constructor() {
    super('the time for this call is over')
  }
}
