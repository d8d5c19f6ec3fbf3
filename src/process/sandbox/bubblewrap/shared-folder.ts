import { chmodSync, lstatSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemCode } from '../../../util/errors.ts'
import { makeFolders } from '../../../util/files.ts'

/**
 * A layer that many boxes use and none writes to. Its name identifies its content, so that it is made only once. null:
 * no place is writable.
 */
export function sharedFolder(name: string, fill: (draft: string) => void): string | null {
  for (const parent of [join(homedir(), '.cache', 'assay'), tmpdir()])
    try {
      return madeIn(parent, name, fill)
    } catch (error) {
      if (!['EACCES', 'EROFS', 'ENOENT', 'EPERM'].includes(systemCode(error) ?? '')) throw error
    }
  return null
}

function madeIn(parent: string, name: string, fill: (draft: string) => void): string {
  makeFolders(parent)
  const folder = join(parent, name)
  if (isOurs(folder)) return folder
  const draft = mkdtempSync(join(parent, `${name}-`))
  fill(draft)
  chmodSync(draft, 0o755)
  try {
    renameSync(draft, folder)
    return folder
  } catch {
    // Another process was faster, with the same content.
    if (!isOurs(folder)) return draft
    rmSync(draft, { recursive: true, force: true })
    return folder
  }
}

/** In a shared folder another user could have put it there. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && found.uid === process.getuid?.()
}
