import type { CommandWords, OptionWords } from './words.ts'

export function zshCompletion(commands: readonly CommandWords[]): string {
  return `#compdef assay
_assay() {
  local -a commands=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    help) _describe command commands ;;
${commands.map(commandCase).join('\n')}
  esac
}
compdef _assay assay
`
}

function commandCase(command: CommandWords): string {
  return `    ${command.name}) _arguments ${[...command.options.flatMap(optionSpecs), ...argumentSpecs(command)].map(quoted).join(' ')} ;;`
}

function argumentSpecs({ values, takesFiles }: CommandWords): readonly string[] {
  const words = `(${values.join(' ')})`
  if (values.length === 0) return ['*:file:_files']
  if (!takesFiles) return [`1:value:${words}`]
  return [`1:value:{_alternative "words:value:${words}" "files:file:_files"}`, '*:file:_files']
}

function optionSpecs(option: OptionWords): readonly string[] {
  const values = option.choices.length > 0 ? `(${option.choices.join(' ')})` : '_files'
  const rest = `[${option.description.replace(/[[\]:]/g, ' ')}]${option.takesValue ? `:value:${values}` : ''}`
  const short = option.short === undefined ? [] : [`*-${option.short}${rest}`]
  return [`*${option.long}${rest}`, ...short]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
