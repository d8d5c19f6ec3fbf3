import { z } from 'zod'
import type { Json } from '../../util/json.ts'
import { json, level, parameterName, range, text } from './parts.ts'

const expected = 'expected a list of levels or a range such as 1..5 (a value that never varies belongs under "params")'

const levels = z.array(level)

const factorWithCondition = z
  .strictObject({
    values: z
      .union([levels, range(expected)], { error: expected })
      .optional()
      .describe('The levels: a list, or a range such as 1..5.'),
    range: range('expected a range such as 1..5').optional().describe('Whole numbers from a range such as 1..5.'),
    when: text.optional().describe('An expression. Where it is false, the factor is absent from the variant.'),
  })
  .transform(({ values, range, when = null }, context) => {
    const written = values ?? range
    if (written !== undefined && (values === undefined || range === undefined)) return { levels: written, when }
    context.addIssue(written === undefined ? '"values" or "range" is missing' : 'give "values" or "range", not both')
    return z.NEVER
  })

const factor = z
  .union([levels.transform(always), range(expected).transform(always), factorWithCondition], { error: expected })
  .describe('A list of levels, a range such as 1..5, or { values, when }.')

export const factors = z
  .record(parameterName, factor)
  .describe('What varies. All combinations of levels are run; the last factor varies fastest.')

const zipGroup = z.record(parameterName, z.union([levels, range(expected)], { error: expected }))

export const zip = z
  .union([zipGroup.transform(group => [group]), z.array(zipGroup)])
  .describe('Factors that vary together, row by row: lists of equal length. A list of such groups is crossed.')

const someLevels = z.record(parameterName, json)

export const include = z
  .array(someLevels)
  .describe(
    'Variants to add: a level, or a list of levels, for some factors; the others are crossed. May bring other parameters.',
  )

export const exclude = z.array(someLevels).describe('Variants to leave out: all that have these levels.')

export const ablations = z
  .array(
    z.strictObject({
      name: text.describe('Part of the names of runs.'),
      flags: z.array(z.string()).default([]).describe('Appended to the command line.'),
      set: z.record(parameterName, json).default({}).describe('Parameters that it sets.'),
    }),
  )
  .describe('What is switched off, one at a time. Write a baseline with neither flags nor set to run it too.')

export const constraints = z
  .union([text.transform(one => [one]), z.array(text)], { error: 'expected an expression or a list of them' })
  .describe('Expressions that every variant must satisfy, such as "keep < window".')

function always(levels: readonly Json[]): { levels: readonly Json[]; when: null } {
  return { levels, when: null }
}
