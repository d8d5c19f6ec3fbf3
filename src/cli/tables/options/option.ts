import { AssayError } from '../../../util/errors.ts'
import { didYouMean } from '../../../util/suggest.ts'
import { listed } from '../../../util/words.ts'

/**
 * One option as a row of the table in options.ts: help, parsing, completion, docs and environment names are generated
 * from it.
 */
export interface OptionSpec<T = unknown> {
  readonly group: OptionGroup
  readonly description: string
  /** One letter. */
  readonly short?: string
  /** Other spellings, without dashes. Underscores instead of dashes are accepted for every option. */
  readonly aliases?: readonly string[]
  /** An environment variable with the same meaning, if the command line doesn't have the option. */
  readonly env?: string
  /** The name of its value in help; without one it is a flag. */
  readonly value?: string
  /** The only allowed values, for help and completion. */
  readonly choices?: readonly string[]
  readonly isRepeatable: boolean
  /** Takes every word up to the next option: `--control-run-ids a b c`. */
  readonly isVariadic?: true
  /** From all texts given for it, in order; a flag gives an empty text. */
  read(texts: readonly string[]): T
}

/** In the order in which help shows them. */
export const optionGroups = [
  'Selection',
  'Simulation',
  'Comparison',
  'Statistics',
  'Planning',
  'Earlier results',
  'Limits',
  'Models',
  'Agent',
  'Tasks',
  'Failures',
  'Machines',
  'Output',
  'Display',
] as const
export type OptionGroup = (typeof optionGroups)[number]

type Row = Omit<OptionSpec, 'read' | 'isRepeatable' | 'isVariadic' | 'value' | 'choices'>

export const flag = (row: Row): OptionSpec<boolean> => ({
  ...row,
  isRepeatable: false,
  read: ([text = '']) => !['0', 'false', 'no'].includes(text.toLowerCase()),
})

/** A flag that means more when it is repeated. */
export const counter = (row: Row): OptionSpec<number> => ({ ...row, isRepeatable: true, read: texts => texts.length })

export const value = <T>(row: Row & { readonly value: string; parse(text: string): T }): OptionSpec<T> => ({
  ...row,
  isRepeatable: false,
  read: texts => row.parse(texts.at(-1) ?? ''),
})

export const list = <T>(row: Row & { readonly value: string; parse(text: string): T }): OptionSpec<readonly T[]> => ({
  ...row,
  isRepeatable: true,
  read: texts => texts.map(row.parse),
})

/** A list whose values may follow each other as words. */
export const words = <T>(row: Row & { readonly value: string; parse(text: string): T }): OptionSpec<readonly T[]> => ({
  ...list(row),
  isVariadic: true,
})

export const choice = <const T extends string>(
  row: Row & { readonly value: string; readonly choices: readonly T[] },
): OptionSpec<T> => value({ ...row, parse: text => oneOf(row.choices, text) })

export function oneOf<T extends string>(choices: readonly T[], text: string): T {
  const found = choices.find(one => one === text)
  if (found !== undefined) return found
  const meant = didYouMean(text, choices)
  const message = `expected ${listed(choices, Number.POSITIVE_INFINITY, 'or')}, got ${JSON.stringify(text)}`
  throw new AssayError('usage', meant === undefined ? message : `${message}; ${meant}`)
}
