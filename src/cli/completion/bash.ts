import type { CommandWords } from './words.ts'

export function bashCompletion(commands: readonly CommandWords[]): string {
  const names = commands.map(command => command.name).join(' ')
  return `# bash completion for assay
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${names} help --help --version"
  else
    case "\${COMP_WORDS[1]}:$previous" in
${commands.flatMap(valueCases).join('\n')}
    esac
    if [ -z "$words" ]; then
      case "\${COMP_WORDS[1]}" in
        help) words="${names}" ;;
${commands.map(optionCase).join('\n')}
      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _assay assay
`
}

const valueCases = (command: CommandWords): readonly string[] =>
  command.options
    .filter(option => option.choices.length > 0)
    .map(option => `      ${command.name}:${option.long}) words="${option.choices.join(' ')}" ;;`)

// File names stay available (complete -o default): options are only offered once a dash or a known value matches.
const optionCase = (command: CommandWords): string =>
  `        ${command.name}) words="${[...command.values, ...command.options.map(option => option.long), '--help'].join(' ')}" ;;`
