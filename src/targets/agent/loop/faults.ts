import { ModelError } from '../../../models/model-error.ts'
import type { Exit } from './exit.ts'

/** The meaning of a model's error for the agent. */
export type Fault =
  /** The answer is unusable: the model is asked again, with the reason. */
  | { readonly kind: 'again'; readonly why: string }
  | { readonly kind: 'exit'; readonly exit: Exit }
  /** It says nothing about the agent: the run ends with it. */
  | { readonly kind: 'not_the_agents' }

export function faultOf(error: unknown): Fault {
  if (!(error instanceof ModelError)) return { kind: 'not_the_agents' }
  const { fault, message } = error
  switch (fault) {
    case 'empty_answer':
      return { kind: 'again', why: 'Your answer was empty.' }
    case 'content_filtered':
      return { kind: 'again', why: "Your answer was held back by the provider's filter. Go on in another way." }
    case 'malformed_answer':
      return { kind: 'again', why: 'Your answer could not be read.' }
    case 'context_too_long':
      return { kind: 'exit', exit: { status: 'exit_context', message } }
    case 'bad_request':
      return { kind: 'exit', exit: { status: 'exit_api', message } }
    default:
      return { kind: 'not_the_agents' }
  }
}
