import * as z from 'zod'
import type { Json } from '../../util/json.ts'
import { expectedOfRange, parseRanges, rangesPattern } from '../levels.ts'
import { distinct, json, level, parameterName, wholeNumberAbove0 } from './parts.ts'

const wholeNumber = z.int({ error: 'expected a whole number' })
const expectedSeeds = 'expected seeds: a range such as 1..15, a list of whole numbers, or one of them'
const expectedBlock = 'expected a list, a range such as 1..5, or a pattern of files with "*"'

const writtenSeeds = z
  .string()
  .meta({ pattern: rangesPattern })
  .transform((written, context): readonly number[] => {
    const numbers = parseRanges(written)
    if (numbers !== null) return numbers
    context.addIssue(expectedOfRange(written) ?? expectedSeeds)
    return z.NEVER
  })

/** Short for a block called `seed`. */
export const seeds = z.lazy(() =>
  z
    .union([z.array(wholeNumber).meta(distinct), writtenSeeds, wholeNumber.transform(one => [one])], {
      error: expectedSeeds,
    })
    .describe('Random seeds that every variant is run with: 1..15, or a list. A single number is that one seed.'),
)

/** Known levels, or a pattern of files that is not resolved yet. */
export type BlockLevels = { readonly levels: readonly Json[] } | { readonly pattern: string }

const levelsText = z
  .string()
  .meta({ pattern: `[*?]|${rangesPattern}` })
  .transform((written, context): BlockLevels => {
    const numbers = parseRanges(written)
    if (numbers !== null) return { levels: numbers }
    if (/[*?]/.test(written)) return { pattern: written }
    context.addIssue(expectedOfRange(written) ?? expectedBlock)
    return z.NEVER
  })

export const blocks = z.lazy(() =>
  z
    .record(
      parameterName,
      z.union(
        [
          z
            .array(level)
            .meta(distinct)
            .transform((levels): BlockLevels => ({ levels })),
          levelsText,
          z.number().transform((one): BlockLevels => ({ levels: [one] })),
        ],
        { error: expectedBlock },
      ),
    )
    .describe('What pairs runs of different variants: tasks, seeds, instances. Every variant is run in every block.'),
)

/** A range means its numbers; anything else is a level, or a list of levels. */
const levelsOfCell = json.transform((written): Json => (typeof written === 'string' ? parseRange(written) : written))

const parseRange = (written: string): Json => (written.includes('..') ? (parseRanges(written) ?? written) : written)

export const cells = z.lazy(() =>
  z
    .array(
      z
        .object({
          replicates: wholeNumberAbove0
            .optional()
            .describe('How often these are run. Default: `replicates` of the experiment.'),
        })
        .catchall(levelsOfCell)
        .describe('Levels of factors and blocks: one, a list, or a range such as 1..5. What is not named is crossed.'),
    )
    .describe(
      'Which variants are run in which blocks, and how often. Default: every variant in every block, equally often.',
    ),
)

export type WrittenCell = z.output<typeof cells>[number]
