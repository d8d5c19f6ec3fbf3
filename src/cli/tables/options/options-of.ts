import { type OptionName, optionNames, optionSpec } from '../../options.ts'
import type { CommandRow } from '../commands/command.ts'
import type { OptionSpec } from './option.ts'

/** Every command has these. */
const commonOptions: readonly OptionName[] = ['json', 'verbose']

/** A command's options, in the order of the table. */
export const optionsOf = (command: CommandRow): readonly OptionName[] =>
  optionNames.filter(name => command.options.includes(name) || commonOptions.includes(name))

/** An option in the form that this command has: help, completion and docs only offer what it accepts. */
export const optionIn = (command: CommandRow, name: OptionName): OptionSpec => ({
  ...optionSpec(name),
  ...command.own?.[name],
})
