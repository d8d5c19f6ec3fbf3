import type { CommandRow } from './command.ts'
import { decideCommands } from './decide-commands.ts'
import { keepCommands } from './keep-commands.ts'
import { lookCommands } from './look-commands.ts'
import { modelsCommands } from './models-commands.ts'
import { moreCommands } from './more-commands.ts'
import { powerCommands } from './power-commands.ts'
import { rolloutsCommands } from './rollouts-commands.ts'
import { runCommands } from './run-commands.ts'
import { scenarioCommands } from './scenario-commands.ts'
import { searchCommands } from './search-commands.ts'
import { tasksCommands } from './tasks-commands.ts'
import { trajectoryCommands } from './trajectory-commands.ts'

const rows = {
  ...runCommands,
  ...lookCommands,
  ...decideCommands,
  ...powerCommands,
  ...searchCommands,
  ...tasksCommands,
  ...rolloutsCommands,
  ...trajectoryCommands,
  ...scenarioCommands,
  ...modelsCommands,
  ...keepCommands,
  ...moreCommands,
}

export type CommandName = keyof typeof rows

/** Every command, without its code: enough for help, completion and docs. */
export const commandRows: readonly (CommandRow & { readonly name: CommandName })[] = Object.entries<CommandRow>(
  rows,
).map(
  // Object.entries loses the type of the keys.
  ([name, row]) => ({ ...row, name: name as CommandName }),
)
