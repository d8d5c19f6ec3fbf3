import { LimitReached } from '../../define/permits.ts'
import { messageOf } from '../../util/errors.ts'
import type { KeptWire } from '../cache/call-store.ts'
import { ModelError, type ModelFault } from '../model-error.ts'
import { type ErrorFormat, type Refusal, Refused } from '../sim/server/refusal.ts'

/** Why the proxy itself does not answer, in the words and the format of the interface that was used. */
export function refusalWire(error: unknown, format: ErrorFormat): KeptWire {
  const refusal = refusalOf(error, format)
  return {
    status: refusal.status,
    headers: {
      'content-type': 'application/json',
      // Both official clients obey it: trying again would change nothing.
      ...(refusal.status < 500 && { 'x-should-retry': 'false' }),
    },
    body: JSON.stringify(format.body(refusal, 'assay')),
  }
}

function refusalOf(error: unknown, format: ErrorFormat): Refusal {
  if (error instanceof Refused) return error.refusal
  if (error instanceof LimitReached)
    return { status: 400, message: `assay: ${error.message}`, code: 'budget_reached', type: 'budget_reached' }
  if (!(error instanceof ModelError)) return { status: 500, message: `assay: ${messageOf(error)}`, type: 'api_error' }
  const { fault, hint } = error
  const message = `assay: ${error.message}${hint === undefined ? '' : `; ${hint}`}`
  if (fault === 'unknown_model') return { ...format.unknownModel(error.model), message }
  return { status: statuses[fault] ?? 400, message, code: fault, ...(fault in statuses && { type: 'api_error' }) }
}

/** Faults that may not recur. */
const statuses: { readonly [F in ModelFault]?: number } = {
  connection_failed: 502,
  answer_cut: 502,
  malformed_response: 502,
  no_answer: 504,
}
