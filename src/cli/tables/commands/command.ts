import type { Io } from '../../io.ts'
import type { OptionName, Options } from '../../options.ts'
import type { OptionSpec } from '../options/option.ts'

/**
 * One command as a row of the tables in tables/, where its name is the key: help, parsing, completion and docs are
 * generated from it.
 */
export interface CommandRow {
  /** Other names it answers to. */
  readonly aliases?: readonly string[]
  readonly group: CommandGroup
  /** One line, for the list of commands. */
  readonly summary: string
  /** What a user should know before using it. */
  readonly description?: string
  readonly arguments: readonly ArgumentSpec[]
  /** Besides those that every command has. */
  readonly options: readonly OptionName[]
  /** If an option takes fewer values here than in other commands, or needs another explanation. */
  readonly own?: {
    readonly [Name in OptionName]?: Partial<Pick<OptionSpec, 'group' | 'value' | 'description' | 'choices'>>
  }
  /** Command lines after `assay`, and what they do. */
  readonly examples: readonly (readonly [line: string, meaning: string])[]
}

export interface CommandSpec extends CommandRow {
  readonly name: string
  /** Its code, only loaded when it is used. */
  load(): Promise<CommandBody>
}

/** Returns the exit code. */
export type CommandBody = (args: readonly string[], options: Options, io: Io) => Promise<number>

export interface ArgumentSpec {
  /** As help shows it: `<dir>` is required, `[dir]` may be left out, `<tags...>` is one or more. */
  readonly name: string
  readonly description: string
  readonly choices?: readonly string[]
  /** Words that may be given here, among others: for completion. */
  readonly suggestions?: readonly string[]
}

/** In the order in which help shows them. */
export const commandGroups = ['Run', 'Look', 'Decide', 'Search', 'Agents', 'Keep', 'More'] as const
export type CommandGroup = (typeof commandGroups)[number]
