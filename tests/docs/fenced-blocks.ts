/** A fenced block of a page: ```` ```sh run ```` has the language `sh` and the words `run`. */
export interface FencedBlock {
  readonly language: string
  /** The words after the language, which say how the block is tried. */
  readonly words: readonly string[]
  readonly text: string
  /** Of the line that opens it. */
  readonly line: number
}

export function fencedBlocks(page: string): readonly FencedBlock[] {
  const blocks: FencedBlock[] = []
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | null = null
  for (const [index, line] of page.split('\n').entries()) {
    if (open === null) {
      if (line.startsWith('```')) open = { info: line.slice(3), line: index + 1, lines: [] }
    } else if (line === '```') {
      const [language = '', ...words] = open.info.split(' ')
      blocks.push({ language, words, text: `${open.lines.join('\n')}\n`, line: open.line })
      open = null
    } else open.lines.push(line)
  }
  return blocks
}
