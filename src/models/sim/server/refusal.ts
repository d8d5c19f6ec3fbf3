import type { SimFault } from '../../../define/models/model-settings.ts'

/** Why a provider does not answer, in its own words. */
export interface Refusal {
  readonly status: number
  readonly message: string
  /** Default: `invalid_request_error`. */
  readonly type?: string | undefined
  /** OpenAI's: which parameter is wrong. */
  readonly param?: string | null | undefined
  /** OpenAI's: what is wrong with it. */
  readonly code?: string | null | undefined
  readonly retry_after_ms?: number | null | undefined
}

/** A request that is not answered; its format follows from the endpoint. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.name = 'Refused'
    this.refusal = refusal
  }
}

/** A provider's format of errors. */
export interface ErrorFormat {
  body(refusal: Refusal, requestId: string): object
  readonly missingKey: Refusal
  readonly wrongKey: Refusal
  readonly unreadable: Refusal
  unknownModel(model: string): Refusal
  /** null: the fault is not reported as an error. */
  ofFault(fault: SimFault, facts: FaultFacts): Refusal | null
}

export interface FaultFacts {
  readonly model: string
  readonly input_tokens: number
  readonly context: number | undefined
  readonly retry_after_ms: number | null
}

const json = { 'content-type': 'application/json' }

export function refuse(format: ErrorFormat, refusal: Refusal, requestId: string): Response {
  const wait = refusal.retry_after_ms
  return new Response(JSON.stringify(format.body(refusal, requestId)), {
    status: refusal.status,
    headers: {
      ...json,
      'request-id': requestId,
      'x-request-id': requestId,
      ...(wait === undefined || wait === null
        ? {}
        : { 'retry-after': String(Math.ceil(wait / 1000)), 'retry-after-ms': String(Math.ceil(wait)) }),
    },
  })
}
