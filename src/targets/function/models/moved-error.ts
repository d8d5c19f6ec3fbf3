import { type LimitName, LimitReached } from '../../../define/permits.ts'
import { ContextTooLong, ModelError, type ModelErrorFacts, type ModelFault } from '../../../models/model-error.ts'

/** An error of a call as plain data: between threads only its name and message would survive. */
export type MovedError = { readonly message: string } & (
  | {
      readonly kind: 'model'
      readonly fault: ModelFault
      readonly facts: ModelErrorFacts
      readonly tries: number
      readonly context: { readonly used: number | null; readonly allowed: number | null } | null
    }
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly at: number | null }
  | { readonly kind: 'other'; readonly name: string }
)

export function movedError(error: unknown): MovedError {
  if (error instanceof LimitReached) return { kind: 'limit', message: error.message, limit: error.limit, at: error.at }
  if (!(error instanceof ModelError)) return otherError(error)
  const { fault, message, model, provider, status, retry_after_ms, cost, hint, tries } = error
  const facts = { model, provider, status: status ?? undefined, retry_after_ms, cost, hint }
  const context = error instanceof ContextTooLong ? { used: error.used, allowed: error.allowed } : null
  return { kind: 'model', fault, message, facts, tries, context }
}

/** A signal's reason may be anything; a run's own is a record with a message. */
function otherError(error: unknown): MovedError {
  if (error instanceof Error) return { kind: 'other', name: error.name, message: error.message }
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return { kind: 'other', name: 'AbortError', message: String(message) }
}

/** The same error again, for the caller. */
export function arrivedError(moved: MovedError): Error {
  switch (moved.kind) {
    case 'limit':
      return new LimitReached(moved.limit, moved.message, moved.at)
    case 'other':
      return Object.assign(moved.name === 'TypeError' ? new TypeError(moved.message) : new Error(moved.message), {
        name: moved.name,
      })
    case 'model': {
      const { fault, message, facts, context, tries } = moved
      const error =
        context === null ? new ModelError(fault, message, facts) : new ContextTooLong(message, { ...facts, ...context })
      error.tries = tries
      return error
    }
  }
}
