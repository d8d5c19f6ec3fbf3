import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type OriginalTable, originalTable } from '../../define/dialects/registry.ts'
import { journalFile, runsFolder } from '../places.ts'

/** The runs in a folder that another program made and that no journal contains; null: there are none. */
export function originalRunsIn(dir: string): OriginalTable | null {
  const runs = runsFolder(dir)
  if (existsSync(journalFile(dir)) || !existsSync(runs)) return null
  const folders = readdirSync(runs, { withFileTypes: true }).filter(entry => entry.isDirectory())
  return originalTable(folders.map(({ name }) => join(runs, name)).sort())
}
