import { isAbsolute, normalize } from 'node:path'
import * as z from 'zod'
import type { Json } from '../../util/json.ts'
import { durationPattern, parseDuration } from '../../util/time.ts'
import { expectedOfRange, parseRanges, severalPattern } from '../levels.ts'

/**
 * Building blocks of the experiment schema; each says in plain words what it expects. Their `meta` is only for the JSON
 * Schema, so that editors find what the schema itself can't express.
 */

export const wholeNumberAbove0 = z
  .int({ error: 'expected a whole number above 0' })
  .min(1, { error: 'expected a whole number above 0' })

export const wholeNumberFrom0 = z
  .int({ error: 'expected a whole number, 0 or more' })
  .min(0, { error: 'expected a whole number, 0 or more' })

export const usd = z
  .number({ error: 'expected an amount in USD, 0 or more' })
  .min(0, { error: 'expected an amount in USD, 0 or more' })

export const text = z.string().min(1, { error: 'expected text that is not empty' })

const expectedShare = 'expected a number from 0 to 1'
export const share = z
  .number({ error: expectedShare })
  .min(0, { error: expectedShare })
  .max(1, { error: expectedShare })

/** As simulated models read them: ignoring case, across lines, in Unicode. */
export const regex = text.refine(isRegex, { error: 'expected a regular expression' })

/** A word of a command line: `1` and `true` are text there. */
export const word = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean()], { error: 'expected text' }).transform(String),
)

/** Names of factors, parameters and blocks: they appear in expressions, placeholders and on the command line. */
export const parameterName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_.-]*$/u, {
    error: 'expected a name that starts with a letter and has only letters, digits, "_", "-" and "."',
  })
  .refine(name => !(name in Object.prototype), {
    error: 'expected another name: this one means something to JavaScript',
  })

/** Settings passed to a user's module. */
export const settings = z.lazy(() => z.record(z.string(), json)).describe('Passed to the module unchanged.')

export const json = z.custom<Json>(isJson, {
  error: 'expected plain data: text, number, true, false, null, list or map',
})

/** It never means the text `1..5`, which would silently be one level. */
export const level = json.refine(value => typeof value !== 'string' || !/^-?\d+\.\.-?\d+$/.test(value), {
  error: 'a range inside a list is only text: write it without the list, or list the numbers',
})

export const duration = z.lazy(() =>
  z
    .union([z.string(), z.number()], { error: 'expected a duration such as 30m, 1h30m or 90 (seconds)' })
    .meta({ pattern: durationPattern, minimum: 0 })
    .transform((written, context) => {
      const ms = parseDuration(written)
      if (ms !== null) return ms
      context.addIssue('expected a duration such as 30m, 1h30m or 90 (seconds)')
      return z.NEVER
    }),
)

/** `1..15` or `1,2,5..7`; `expected` describes the values of its key. */
export const range = (expected: string) =>
  z
    .string()
    .meta({ pattern: severalPattern })
    .transform((written, context): readonly Json[] => {
      const numbers = /\.\.|,/.test(written) ? parseRanges(written) : null
      if (numbers !== null) return numbers
      context.addIssue(expectedOfRange(written) ?? expected)
      return z.NEVER
    })

/** For editors: an empty list, or a level given twice, is found later with a better message. */
export const distinct = { minItems: 1, uniqueItems: true }

/** A path inside a run's directory. */
export const pathInRun = text.refine(staysInside, {
  error: 'expected a path inside the run\'s directory, neither absolute nor with ".."',
})

function staysInside(path: string): boolean {
  return !isAbsolute(path) && !/^[A-Za-z]:/.test(path) && !normalize(path).split(/[\\/]/).includes('..')
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  return typeof value === 'object' && Object.values(value).every(isJson)
}

/** The names that modules add to those known to configurations. */
export interface OwnNames {
  readonly planners: readonly string[]
  readonly stoppers: readonly string[]
  readonly metric_sources: readonly string[]
}

export const noOwnNames: OwnNames = { planners: [], stoppers: [], metric_sources: [] }

function isRegex(pattern: string): boolean {
  try {
    new RegExp(pattern, 'isu')
    return true
  } catch {
    return false
  }
}
