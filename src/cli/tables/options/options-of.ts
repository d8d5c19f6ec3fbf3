import { type OptionName, optionNames } from '../../options.ts'
import type { CommandRow } from '../commands/command.ts'

/** Every command has these. */
const commonOptions: readonly OptionName[] = ['json', 'verbose']

/** A command's options, in the order of the table. */
export const optionsOf = (command: CommandRow): readonly OptionName[] =>
  optionNames.filter(name => command.options.includes(name) || commonOptions.includes(name))
