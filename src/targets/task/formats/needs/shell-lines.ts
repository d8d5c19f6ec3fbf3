/** A line of a script or Dockerfile, with the lines that continue it, and where it starts. */
export interface WrittenLine {
  /** One-based. */
  readonly line: number
  readonly text: string
}

/** Lines joined after a trailing backslash; comments and empty lines are left out. */
export function* joinedLines(text: string): Generator<WrittenLine> {
  let parts: string[] = []
  let first = 0
  for (const [index, raw] of text.split(/\r?\n/).entries()) {
    const line = raw.trim()
    // A comment between continued lines does not end them.
    if (line.startsWith('#')) continue
    if (parts.length === 0) first = index + 1
    const isContinued = line.endsWith('\\')
    parts.push(isContinued ? line.slice(0, -1).trimEnd() : line)
    if (isContinued) continue
    const joined = parts.join(' ').trim()
    parts = []
    if (joined !== '') yield { line: first, text: joined }
  }
  const joined = parts.join(' ').trim()
  if (joined !== '') yield { line: first, text: joined }
}

/**
 * The commands of a shell line, separated by `&&`, `||`, `;` and `|`.
 */
export const commandsIn = (line: string): readonly string[] =>
  line
    .split(/&&|\|\||;|\|/)
    .map(command => command.trim().replace(/^(?:(?:then|do|else|if|!|\(|\{)\s+)+/, ''))
    .filter(command => command !== '')
