import type { CommandWords, OptionWords } from './words.ts'

export function fishCompletion(commands: readonly CommandWords[]): string {
  const lines = commands.flatMap(command => [
    `complete -c assay -n __fish_use_subcommand -f -a ${command.name} -d ${quoted(command.summary)}`,
    ...command.options.map(option => optionLine(command.name, option)),
    ...(command.values.length === 0
      ? []
      : [
          `complete -c assay ${used(command.name)}${command.takesFiles ? '' : ' -f'} -a ${quoted(command.values.join(' '))}`,
        ]),
  ])
  return ['# fish completion for assay', ...lines, ''].join('\n')
}

function optionLine(command: string, option: OptionWords): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`
  const takes =
    option.choices.length > 0 ? ` -x -a ${quoted(option.choices.join(' '))}` : option.takesValue ? ' -r' : ''
  return `complete -c assay ${used(command)}${short} -l ${option.long.slice(2)}${takes} -d ${quoted(option.description)}`
}

const used = (command: string): string => `-n '__fish_seen_subcommand_from ${command}'`

const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`
