import { longFlag } from '../../util/words.ts'
import { commandRows } from '../tables/commands/command-rows.ts'
import { optionIn, optionsOf } from '../tables/options/options-of.ts'

/** The parts of the tables that a completion script needs. */
export interface CommandWords {
  readonly name: string
  readonly summary: string
  /** Values of its first argument, if they are known. */
  readonly values: readonly string[]
  /** Whether something else, such as a file, may be given instead. */
  readonly takesFiles: boolean
  readonly options: readonly OptionWords[]
}

export interface OptionWords {
  readonly long: string
  readonly short: string | undefined
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

export function completionWords(): readonly CommandWords[] {
  return commandRows.map(command => ({
    name: command.name,
    summary: command.summary,
    values: command.arguments[0]?.choices ?? command.arguments[0]?.suggestions ?? [],
    takesFiles: command.arguments[0]?.choices === undefined,
    options: optionsOf(command).map(name => {
      const { short, description, value, choices = [] } = optionIn(command, name)
      return { long: longFlag(name), short, description, takesValue: value !== undefined, choices }
    }),
  }))
}
