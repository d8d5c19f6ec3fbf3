import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { systemCode } from './errors.ts'

/** Like mkdir -p. Node's own never returns where nothing can be made (/proc), and hides the reason on a read-only disk. */
export function makeFolders(folder: string): void {
  if (existsSync(folder)) return
  makeFolders(dirname(folder))
  try {
    mkdirSync(folder)
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error
  }
}
