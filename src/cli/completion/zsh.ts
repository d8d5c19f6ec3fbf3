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
  const argument = command.values.length === 0 ? '*:file:_files' : `1:value:(${command.values.join(' ')})`
  return `    ${command.name}) _arguments ${[...command.options.flatMap(optionSpecs), argument].map(quoted).join(' ')} ;;`
}

function optionSpecs(option: OptionWords): readonly string[] {
  const values = option.choices.length > 0 ? `(${option.choices.join(' ')})` : '_files'
  const rest = `[${option.description.replace(/[[\]:]/g, ' ')}]${option.takesValue ? `:value:${values}` : ''}`
  const short = option.short === undefined ? [] : [`*-${option.short}${rest}`]
  return [`*${option.long}${rest}`, ...short]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
