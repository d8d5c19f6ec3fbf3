import { realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { AssayError } from '../../util/errors.ts'

/**
 * The file at a path inside a folder, with links followed; refused if it is not in the folder, or if a link leads out
 * of it: a run shows only its own files. The folder itself must be in the root.
 */
export function fileInside(root: string, folder: string, path: string): string {
  const wanted = join(folder, path)
  if (path === '' || path.includes('\0') || !isInside(folder, wanted)) throw outside(path)
  let real: string
  try {
    real = realpathSync(wanted)
  } catch (error) {
    throw new AssayError('not_found', `there is no ${path} here`, { cause: error })
  }
  const own = realpathSync(folder)
  if (!isInside(realpathSync(root), own) || !isInside(own, real)) throw outside(path)
  return real
}

/** The folder itself, if it is there and no link leads out of the root; otherwise null. */
export function folderInside(root: string, folder: string): string | null {
  try {
    return isInside(realpathSync(root), realpathSync(folder)) ? folder : null
  } catch {
    return null
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

const outside = (path: string): AssayError => new AssayError('usage', `${JSON.stringify(path)} leads out of the folder`)
