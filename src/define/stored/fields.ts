import * as z from 'zod'
import { isJsonObject, type Json, type JsonObject } from '../../util/json.ts'

/** A schema for every field of `T`: a field that is forgotten, or of another type, does not compile. */
type Fields<T> = {
  readonly [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? z.ZodType<T[K] | undefined> : z.ZodType<T[K]>
}

/** JSON has no `undefined`, so a field that may be missing is missing or has a value. */
export const object = <T>(fields: Fields<T>): z.ZodType<T> => z.strictObject(fields) as unknown as z.ZodType<T>

// Whatever JSON.parse returns is plain data: a list of a million levels need not be walked through.
export const anything = z.custom<Json>(value => value !== undefined, 'expected a value')
export const list = z.custom<readonly Json[]>(Array.isArray, 'expected a list')
export const map = z.custom<JsonObject>(isJsonObject, 'expected an object')
export const text = z.string()
export const texts = z.array(text)
export const number = z.number()
export const yesOrNo = z.boolean()
