import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'
import { parseRanges } from '../levels.ts'

/** A schema for every field of `T`: a missing field, or one of another type, does not compile. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? z.ZodType<T[K] | undefined> : z.ZodType<T[K]>
}

/** JSON has no `undefined`, so an optional field is missing or has a value. */
export const object = <T>(fields: Fields<T>): z.ZodType<T> => z.strictObject(fields) as unknown as z.ZodType<T>

// Everything that JSON.parse returns is plain data: a list of a million levels need not be walked.
export const anything = z.custom<Json>(value => value !== undefined, 'expected a value')
/** Written as a list, or as a range: see `storedText`. */
export const levels: z.ZodType<readonly Json[]> = z.unknown().transform((value, context): readonly Json[] => {
  const found = typeof value === 'string' ? parseRanges(value) : Array.isArray(value) ? value : null
  if (found !== null) return found
  context.addIssue('expected a list')
  return z.NEVER
})
export const map = z.custom<JsonObject>(isJsonObject, 'expected an object')
export const text = z.string()
export const texts = z.lazy(() => z.array(text))
export const number = z.number()
export const yesOrNo = z.boolean()
