import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { journalFile } from './experiment-directory.ts'

/** Folders with a journal, at most three levels down, by name: experiments are not nested. */
export function experimentsUnder(root: string, depth = 3): readonly string[] {
  if (existsSync(journalFile(root))) return [root]
  if (depth === 0) return []
  return foldersIn(root).flatMap(name => experimentsUnder(join(root, name), depth - 1))
}

/** None in what is no folder, is not there, or may not be read. */
function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
      .map(entry => entry.name)
      .toSorted()
  } catch {
    return []
  }
}
