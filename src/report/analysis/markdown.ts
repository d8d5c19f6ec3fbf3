/** A table of GitHub's Markdown; cells must be `safe`. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)]
}

/** Text from outside as text: no markup, no table borders, one line. */
export const safe = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').replaceAll(/[\\`*|[\]]|<(?=[a-z/!?])/gi, character => `\\${character}`)
