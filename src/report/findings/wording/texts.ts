import { levelText } from '../../../analyze/variants.ts'
import { AssayError } from '../../../util/errors.ts'
import type { JsonObject } from '../../../util/json.ts'

/** `model=a, size=2`. */
export const levelsText = (levels: JsonObject): string =>
  Object.entries(levels)
    .map(([name, level]) => `${name}=${levelText(level)}`)
    .join(', ')

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

/** What a browser shows as text or as a picture. Pages and drawings that runs wrote might run scripts of theirs. */
const safe = /(^|\/)[^/.]*$|\.(txt|log|json|jsonl|csv|tsv|md|yaml|yml|toml|diff|patch|png|jpe?g|gif|webp)$/i

/** Whether a link to a run's file may be followed from the report. */
export const fileFits = (path: string): boolean => safe.test(path)
