import * as z from 'zod'
import type { Json } from '../../util/json.ts'
import type { Factor } from '../experiment.ts'
import { levelsOf } from '../levels.ts'
import { domainKeys, domainOf } from './domain-schema.ts'
import { distinct, json, level, parameterName, range, text, word } from './parts.ts'

const expected = 'expected a list of levels or a range such as 1..5 (a value that never varies belongs under "params")'

const levels = z.lazy(() => z.array(level))
const distinctLevels = levels.meta(distinct)

const factorAsMap = z.lazy(() =>
  z
    .strictObject({
      values: z
        .union([distinctLevels, range(expected)], { error: expected })
        .optional()
        .describe('The levels: a list, or a range such as 1..5.'),
      range: range('expected a range such as 1..5').optional().describe('Whole numbers from a range such as 1..5.'),
      probabilities: z
        .array(z.number().min(0, { error: 'expected a number of at least 0' }))
        .optional()
        .describe('For a search: how likely each of "values" is drawn.'),
      ...domainKeys,
      when: text.optional().describe('An expression. Where it is false, the factor is absent from the variant.'),
    })
    .transform(({ values, range, probabilities, when = null, ...written }, context): WrittenFactor => {
      const wrong = (message: string, path: readonly string[] = []): never => {
        context.addIssue({ code: 'custom', message, path: [...path], input: values })
        return z.NEVER
      }
      const domain = domainOf(written)
      const forms = [values, range, domain].filter(form => form !== undefined && form !== null)
      if (forms.length === 0) return wrong('"values" or "range" is missing (or, for a search, "min" and "max")')
      if (forms.length > 1)
        return wrong(values && range ? 'give "values" or "range", not both' : 'give a list or limits, not both')
      if (domain !== null && 'message' in domain) return wrong(domain.message, domain.key === null ? [] : [domain.key])
      if (domain !== null && probabilities === undefined) return { levels: levelsOf(domain), domain, when }
      const listed = values ?? range ?? []
      if (probabilities === undefined) return { levels: listed, when }
      const mistake = domain === null ? probabilityMistake(probabilities, listed.length) : 'probabilities need a list'
      if (mistake !== null) return wrong(mistake, ['probabilities'])
      return { levels: listed, probabilities, when }
    }),
)

type WrittenFactor = Omit<Factor, 'name'>

function probabilityMistake(probabilities: readonly number[], levels: number): string | null {
  if (probabilities.length !== levels) return `expected one for each of the ${levels} levels`
  return probabilities.some(probability => probability > 0) ? null : 'at least one must be above 0'
}

const factor = z.lazy(() =>
  z
    .union([distinctLevels.transform(always), range(expected).transform(always), factorAsMap], { error: expected })
    .describe(
      'A list of levels, a range such as 1..5, or { values, when }; for a search also { min, max, scale, step }.',
    ),
)

export const factors = z.lazy(() =>
  z
    .record(parameterName, factor)
    .describe('What varies. All combinations of levels are run; the last factor varies fastest.'),
)

const zipGroup = z.lazy(() => z.record(parameterName, z.union([levels, range(expected)], { error: expected })))

export const zip = z.lazy(() =>
  z
    .union([zipGroup.transform(group => [group]), z.array(zipGroup)])
    .describe('Factors that vary together, row by row: lists of equal length. A list of such groups is crossed.'),
)

const someLevels = z.lazy(() => z.record(parameterName, json))

export const include = z.lazy(() =>
  z
    .array(someLevels)
    .describe(
      'Variants to add: a level, or a list of levels, for some factors; the others are crossed. May bring other parameters, with one or several levels too.',
    ),
)

export const exclude = z.lazy(() => z.array(someLevels).describe('Variants to leave out: all that have these levels.'))

export const ablations = z.lazy(() =>
  z
    .array(
      z.strictObject({
        name: text.describe('Part of the names of runs.'),
        flags: z.array(word).prefault([]).describe('Appended to the command line.'),
        set: z.record(parameterName, json).default({}).describe('Parameters that it sets.'),
      }),
    )
    .describe('What is switched off, one at a time. Write a baseline with neither flags nor set to run it too.'),
)

export const constraints = z.lazy(() =>
  z
    .union([text.transform(one => [one]), z.array(text)], { error: 'expected an expression or a list of them' })
    .describe('Expressions that every variant must satisfy, such as "keep < window".'),
)

function always(levels: readonly Json[]): WrittenFactor {
  return { levels, when: null }
}
