import type { Position } from './source.ts'

interface Place {
  readonly key: Position
  readonly value: Position
}

const header = /^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(?:#.*)?$/
const assignment = /^(\s*)((?:[\w-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[\w-]+|"[^"]*"|'[^']*'))*)\s*=\s*/

/**
 * The place of each key of a TOML file, by dotted path. The parser only gives positions of syntax errors, so this scans
 * lines for table headers and `key =`. Keys inside an inline table or a list have its line, not its column.
 */
export function tomlPositions(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const counts = new Map<string, number>()
  let table: readonly string[] = []
  let isInsideString = false
  for (const [index, lineText] of text.split('\n').entries()) {
    const wasInsideString = isInsideString
    const quotes = lineText.match(/"""|'''/g)?.length ?? 0
    if (quotes % 2 === 1) isInsideString = !isInsideString
    if (wasInsideString) continue
    const at = (column: number): Position => ({ line: index + 1, column })
    const heading = header.exec(lineText)
    if (heading !== null) {
      table = tablePath(heading[2] ?? '', heading[1] === '[[', counts)
      places.set(table.join('.'), { key: at(1), value: at(1) })
      continue
    }
    const match = assignment.exec(lineText)
    if (match === null) continue
    const path = [...table, ...keysIn(match[2] ?? '')]
    const place = { key: at((match[1]?.length ?? 0) + 1), value: at(match[0].length + 1) }
    for (let length = table.length + 1; length <= path.length; length++) {
      const prefix = path.slice(0, length).join('.')
      if (!places.has(prefix) || length === path.length) places.set(prefix, place)
    }
  }
  return places
}

/** The second `[[runs]]` is `runs.1`; `[runs.limits]` after it is `runs.1.limits`. */
function tablePath(name: string, isListItem: boolean, counts: Map<string, number>): readonly string[] {
  const keys = keysIn(name)
  const path: string[] = []
  for (const [index, key] of keys.entries()) {
    path.push(key)
    const list = path.join('.')
    const isLast = index === keys.length - 1
    if (isLast && isListItem) counts.set(list, (counts.get(list) ?? -1) + 1)
    const count = counts.get(list)
    if (count !== undefined) path.push(String(count))
  }
  return path
}

const keysIn = (dotted: string): string[] =>
  [...dotted.matchAll(/"([^"]*)"|'([^']*)'|([\w-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  )
