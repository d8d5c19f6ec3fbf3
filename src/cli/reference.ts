import { longFlag } from '../util/words.ts'
import type { OptionName } from './options.ts'
import { type CommandRow, commandGroups } from './tables/commands/command.ts'
import { commandRows } from './tables/commands/command-rows.ts'
import { optionIn, optionsOf } from './tables/options/options-of.ts'

/** docs/cli.md: every command and option, from the same tables as `--help`. */
export function cliReference(): string {
  const groups = commandGroups.map(group => ({
    group,
    members: commandRows.filter(command => command.group === group),
  }))
  const sections = groups.filter(({ members }) => members.length > 0).flatMap(groupSection)
  return `${['# Commands and options', '', intro, '', ...sections].join('\n').trim()}\n`
}

const intro = [
  'Made by `npm run docs` from the tables that `assay --help` comes from.',
  'Underscores may be written for dashes in every option (`--dry_run` is `--dry-run`).',
  'An environment variable counts where the command line says nothing; both count more than the experiment.',
  '',
  'Exit codes: `0` everything asked for is done · `1` some runs failed · `2` usage or configuration error ·',
  '`3` stopped by a limit, can be continued · `130` interrupted, can be continued · `70` a bug in assay. More: [exit-codes.md](exit-codes.md).',
].join('\n')

type Named = CommandRow & { readonly name: string }

const groupSection = ({ group, members }: { group: string; members: readonly Named[] }): readonly string[] => [
  `## ${group}`,
  '',
  ...members.flatMap(commandSection),
]

function commandSection(command: Named): readonly string[] {
  const usage = ['assay', command.name, ...command.arguments.map(argument => argument.name), '[options]'].join(' ')
  return [
    `### assay ${command.name}`,
    '',
    `${[`${command.summary.charAt(0).toUpperCase()}${command.summary.slice(1)}${command.summary.endsWith('?') ? '' : '.'}`, command.description].filter(Boolean).join(' ')}`,
    '',
    `\`${usage}\`${command.aliases === undefined ? '' : ` (also: ${command.aliases.join(', ')})`}`,
    '',
    ...command.arguments.map(({ name, description }) => `- \`${name}\`: ${description}`),
    ...(command.arguments.length > 0 ? [''] : []),
    '| option | meaning |',
    '|---|---|',
    ...optionsOf(command).map(name => optionRow(command, name)),
    '',
    ...(command.examples.length > 0 ? ['```sh', ...command.examples.map(exampleLine), '```', ''] : []),
  ]
}

function optionRow(command: CommandRow, name: OptionName): string {
  const { short, value, aliases = [], description, choices, env, isRepeatable } = optionIn(command, name)
  const takes = value === undefined ? '' : ` <${choices?.join('|') ?? value}>`
  const words = [`${longFlag(name)}${takes}`, ...(short ? [`-${short}`] : []), ...aliases.map(alias => `--${alias}`)]
  const more = [...(isRepeatable ? ['repeatable'] : []), ...(env === undefined ? [] : [`\`${env}\``])]
  const meaning = more.length === 0 ? description : `${description} (${more.join(', ')})`
  return `| ${words.map(word => `\`${word.replaceAll('|', '\\|')}\``).join(' ')} | ${meaning} |`
}

const exampleLine = ([line, meaning]: readonly [string, string]): string => `assay ${line}  # ${meaning}`
