import type { Need } from '../../task.ts'
import { commandsIn, joinedLines } from './shell-lines.ts'

/** The needs of shell commands, by the programs known to have them: a light scan, not an interpreter. */
const asking: readonly { readonly kind: Need['kind']; readonly pattern: RegExp }[] = [
  { kind: 'package', pattern: /^(?:apt-get|apt|apk|dnf|yum)\b.*\b(?:install|add)\b/ },
  { kind: 'package', pattern: /^(?:python3? -m )?pip3? install\b/ },
  { kind: 'package', pattern: /^uv (?:pip install|add|sync|tool install)\b|^uvx\b/ },
  { kind: 'package', pattern: /^(?:npm (?:install|i|ci)|yarn(?: install| add)?|pnpm (?:install|add))\b/ },
  { kind: 'package', pattern: /^(?:gem|cargo|go|conda|mamba) install\b/ },
  { kind: 'download', pattern: /^(?:curl|wget)\b/ },
  { kind: 'download', pattern: /^git clone\b/ },
]

export function needsOfCommands(line: string, where: string): readonly Need[] {
  return commandsIn(line).flatMap(command => {
    const bare = withoutPrefixes(command)
    const found = asking.find(({ pattern }) => pattern.test(bare))
    return found === undefined ? [] : [{ kind: found.kind, what: shortened(bare), where }]
  })
}

/** For a complete script; pytest is a program that it needs, however it is installed. */
export function needsOfScript(text: string, file: string): readonly Need[] {
  const needs: Need[] = []
  for (const { line, text: written } of joinedLines(text)) {
    const where = `${file}:${line}`
    needs.push(...needsOfCommands(written, where))
    const runsPytest = commandsIn(written).some(command =>
      /^(?:\S*python3? -m )?pytest\b/.test(withoutPrefixes(command)),
    )
    if (runsPytest && !needs.some(({ what }) => what === 'pytest'))
      needs.push({ kind: 'program', what: 'pytest', where })
  }
  return needs
}

/** `sudo`, `VAR=value` and an absolute path do not change which program is called. */
const withoutPrefixes = (command: string): string =>
  command.replace(/^(?:(?:sudo|env|exec|time)\s+|[A-Za-z_]\w*=\S*\s+)*/, '').replace(/^\/(?:usr\/)?bin\//, '')

const shortened = (text: string): string => {
  const plain = text.replaceAll(/\s+/g, ' ')
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain
}
