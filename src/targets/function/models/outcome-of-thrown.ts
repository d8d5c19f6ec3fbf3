import type { Outcome } from '../../../define/outcome.ts'
import { ModelError, outcomeOfModelError } from '../../../models/model-error.ts'
import { isMachineTrouble } from '../../../util/errors.ts'

/**
 * How a run ends whose function threw. A call that brought no answer, thrown on or named as the cause, ends it as it
 * ends other runs that call models: a provider that is down says nothing about the function.
 */
export function outcomeOfThrown(
  { name, message, code = null }: { readonly name: string; readonly message: string; readonly code?: string | null },
  cause: unknown,
): Outcome {
  if (isMachineTrouble(code)) return { kind: 'infra_error', error_class: code ?? name, message }
  if (!(cause instanceof ModelError)) return { kind: 'failed', error_class: name, message }
  const outcome = outcomeOfModelError(cause)
  return message === cause.message ? outcome : { ...outcome, message: `${message} (${outcome.message})` }
}

/** The error of a model behind what was thrown: itself, or one of its causes. */
export function modelErrorIn(thrown: unknown): ModelError | null {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++)
    if (error instanceof ModelError) return error
  return null
}
