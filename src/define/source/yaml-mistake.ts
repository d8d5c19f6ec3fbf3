import type { YAMLError, YAMLWarning } from 'yaml'

/**
 * What is wrong, and where: the library's messages assume knowledge of YAML's grammar, and sometimes point at the line
 * before.
 */
export interface YamlMistake {
  readonly message: string
  readonly offset: number
}

export function yamlMistake(found: readonly (YAMLError | YAMLWarning)[], text: string): YamlMistake | null {
  const [first] = found
  if (first === undefined) return null
  const [offset] = first.pos
  switch (first.code) {
    case 'DUPLICATE_KEY':
      return { message: `the key "${keyAt(text, offset)}" is written twice`, offset }
    case 'BLOCK_AS_IMPLICIT_KEY':
      return malformed(nestedMap(found, text) ?? { message: 'a text with ": " in it needs quotes', offset })
    case 'MULTILINE_IMPLICIT_KEY':
      return malformed({ message: 'a key needs ": " after it, with the space', offset })
    case 'BAD_INDENT':
      return malformed({ message: misplaced(first.message), offset })
    default:
      // The library ends some messages with advice to programmers.
      return malformed({ message: first.message.replace(/; please use .*$/, ''), offset })
  }
}

const malformed = ({ message, offset }: YamlMistake): YamlMistake => ({ message: `malformed YAML: ${message}`, offset })

function misplaced(message: string): string {
  if (message.startsWith('All mapping items')) return 'this line is not indented like the others of its map'
  if (message.startsWith('Flow sequence')) return 'a list that began with [ has no ] before this'
  return message.startsWith('Flow map') ? 'a map that began with { has no } before this' : message
}

/** A key on a line that is indented too far looks to the library like a continuation of the line before. */
function nestedMap(found: readonly (YAMLError | YAMLWarning)[], text: string): YamlMistake | null {
  const across = found.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY')
  if (across === undefined) return null
  const [start, end] = across.pos
  const line = text.lastIndexOf('\n', end) + 1
  if (line <= start) return null
  const offset = line + (/^\s*/.exec(text.slice(line))?.[0].length ?? 0)
  return { message: `this line is indented too far: "${keyAt(text, offset)}" continues the text above it`, offset }
}

function keyAt(text: string, offset: number): string {
  const [, double, single, plain] = /^(?:"([^"]*)"|'([^']*)'|([^:,{}[\]\n]*))/.exec(text.slice(offset)) ?? []
  return double ?? single ?? plain?.trim() ?? ''
}
