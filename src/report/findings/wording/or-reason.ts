import { AssayError } from '../../../util/errors.ts'

/** What was found, or in one line why there is nothing. */
export type OrReason<T> = { readonly found: T } | { readonly reason: string }

/** What data or wishes don't allow is a reason; anything else is a mistake of ours and goes on. */
export function orReason<T>(find: () => T): OrReason<T> {
  try {
    return { found: find() }
  } catch (error) {
    if (error instanceof AssayError) return { reason: error.message }
    throw error
  }
}
