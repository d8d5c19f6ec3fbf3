import type { Outcome } from '../../../define/outcome.ts'
import { ModelError, outcomeOfModelError } from '../../../models/model-error.ts'
import { isMachineFault } from '../../../util/errors.ts'

/**
 * How a run ends whose function threw. A failed model call, rethrown or named as the cause, ends it like other runs
 * that call models: a provider that is down says nothing about the function.
 */
export function outcomeOfThrown(
  { name, message, code = null }: { readonly name: string; readonly message: string; readonly code?: string | null },
  cause: unknown,
): Outcome {
  if (isMachineFault(code)) return { kind: 'infra_error', error_class: code ?? name, message }
  if (!(cause instanceof ModelError)) return { kind: 'failed', error_class: name, message }
  const outcome = outcomeOfModelError(cause)
  return message === cause.message ? outcome : { ...outcome, message: `${message} (${outcome.message})` }
}

/** The model error behind a thrown value: itself, or one of its causes. */
export function modelErrorIn(thrown: unknown): ModelError | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++)
    if (error instanceof ModelError) return error
  return null
}
