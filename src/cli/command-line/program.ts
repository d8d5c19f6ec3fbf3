import { Command, Option } from 'commander'
import { version } from '../../util/version.ts'
import { longFlag } from '../../util/words.ts'
import type { OptionName } from '../options.ts'
import { type CommandSpec, commandGroups } from '../tables/commands/command.ts'
import { type OptionSpec, optionGroups } from '../tables/options/option.ts'
import { optionIn, optionsOf } from '../tables/options/options-of.ts'

/** The texts given for each option, not parsed yet. */
export type Texts = Readonly<Record<string, readonly string[] | undefined>>

/**
 * Builds a commander program from the tables. `found` is called with the command that was named, and its arguments.
 * Only commands that occur among the words get their options: building those of all others is most of the work.
 */
export function buildProgram(
  commands: readonly CommandSpec[],
  words: ReadonlySet<string>,
  found: (command: CommandSpec, args: readonly string[], texts: Texts) => void,
): Command {
  const program = new Command('assay')
    .description(
      'Runs experiments over agents, models and simulations, and tells you which conclusions the data supports.',
    )
    .usage('<command> [options]')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .configureHelp({ subcommandTerm: command => command.name() })
    .addHelpCommand(new Command('help').argument('[command]').summary('print help for a command').helpGroup('More:'))
    .addHelpText('after', '\nFor more about a command: assay help <command>')
    .showHelpAfterError(false)
  for (const group of commandGroups)
    for (const spec of commands.filter(command => command.group === group)) {
      const command = addCommand(program, spec)
      if ([spec.name, ...(spec.aliases ?? [])].some(name => words.has(name))) addOptions(command, spec)
      command.action(() => found(spec, command.args, command.opts()))
    }
  return program
}

function addCommand(program: Command, spec: CommandSpec): Command {
  const command = program
    .command(spec.name)
    .aliases([...(spec.aliases ?? [])])
    .helpGroup(`${spec.group}:`)
    .summary(spec.summary)
    .description(describe(spec))
    .helpOption('-h, --help', 'print help')
  for (const { name, description } of spec.arguments) command.argument(name, description)
  if (spec.examples.length > 0) command.addHelpText('after', `\n${examplesText(spec)}`)
  return command
}

function addOptions(command: Command, spec: CommandSpec): void {
  const options = optionsOf(spec).map(name => ({ name, option: optionIn(spec, name) }))
  for (const group of optionGroups)
    for (const { name, option } of options) if (option.group === group) command.addOption(asOption(name, option))
}

function asOption(name: OptionName, spec: OptionSpec): Option {
  const { short, value, group } = spec
  const words = `${short === undefined ? '' : `-${short}, `}${longFlag(name)}${value === undefined ? '' : ` <${value}>`}`
  const option = new Option(words, optionHelp(spec))
    .helpGroup(`${group}:`)
    .argParser<string[]>((text, earlier = []) => [...earlier, text ?? ''])
  // Commander takes `--no-cache` for the negation of an undeclared `--cache`.
  option.negate = false
  return option
}

function optionHelp({ description, choices, value, isRepeatable, env }: OptionSpec): string {
  const notes = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(isRepeatable && value !== undefined ? ['repeatable'] : []),
    ...(env === undefined ? [] : [env]),
  ]
  return notes.length === 0 ? description : `${description} (${notes.join('; ')})`
}

const describe = (spec: CommandSpec): string =>
  [
    `${spec.summary.charAt(0).toUpperCase()}${spec.summary.slice(1)}${spec.summary.endsWith('?') ? '' : '.'}`,
    spec.description,
  ]
    .filter(Boolean)
    .join('\n')

function examplesText(spec: CommandSpec): string {
  const width = Math.max(...spec.examples.map(([line]) => line.length))
  const lines = spec.examples.map(([line, meaning]) => `  assay ${line.padEnd(width)}  ${meaning}`)
  return ['Examples:', ...lines].join('\n')
}
