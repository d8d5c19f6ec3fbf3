import type { Outcome, OutcomeKind } from '../define/outcome.ts'

/** Everything that can go wrong with a call, distinguished by what to do about it. */
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
  /** Its cost although it failed: null if unknown, 0 if nothing was done. */
  readonly cost: 'nothing' | 'unknown' | 'as_used'
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** A call without an answer. Its message contains no key, whatever the provider said. */
export class ModelError extends Error {
  readonly fault: ModelFault
  readonly model: string
  readonly provider: string
  readonly status: number | null
  readonly retry_after_ms: number | null
  readonly cost: ModelErrorFacts['cost']
  readonly hint: string | undefined
  /** How many tries there were; set after the last one. */
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
  /** Tokens of the prompt, estimated or as the provider counted them; null: unknown. */
  readonly used: number | null
  /** The most tokens of prompt and answer together; null: unknown. */
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
 * How a run ends whose call got no answer. The model's own behaviour, such as an empty answer, is the run's failure;
 * problems of the connection, the key or the provider say nothing about the run, and it is executed again.
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

/** The tries of a call took longer than the caller allows. This says nothing about the model. */
export class TriesOutOfTime extends Error {
  override readonly name = 'TriesOutOfTime'

  constructor() {
    super('the time for this call is over')
  }
}
