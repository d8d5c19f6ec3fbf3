/** The number of lines shown before a long text is unfolded. */
const mostLines = 14
const mostCharacters = 900

export interface Folded {
  readonly shown: string
  readonly isFolded: boolean
  readonly lines: number
}

/** The first lines of a long text. Reads no more of it than necessary. */
export function folded(text: string, more: number): Folded {
  const lines = countLines(text)
  if (lines <= mostLines + 4 && text.length + more <= mostCharacters * 1.3)
    return { shown: text, isFolded: false, lines }
  const head = text.slice(0, mostCharacters)
  return { shown: head.split('\n').slice(0, mostLines).join('\n'), isFolded: true, lines }
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
