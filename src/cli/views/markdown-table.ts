/** A table in Markdown; columns whose head ends in `:` are aligned to the right, without the colon. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`
  return [
    line(head.map(title => title.replace(/:$/, ''))),
    `|${head.map(title => (title.endsWith(':') ? '---:' : '---')).join('|')}|`,
    ...rows.map(line),
  ]
}

const escaped = (cell: string): string => cell.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ')
