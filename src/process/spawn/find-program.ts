import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemCode } from '../../util/errors.ts'

/** The file that a program's name stands for, found as execvp(3) does; otherwise why there is none. */
export function findProgram(
  name: string,
  cwd: string,
  path = '/bin:/usr/bin',
): { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' } {
  // A path is tried by whoever starts it, from the folder it starts in.
  if (name.includes('/')) return { file: name }
  if (name === '') return { code: 'ENOENT' }
  const found = path.split(':').map(folder => look(resolve(cwd, folder, name)))
  const file = found.find(answer => answer.startsWith('/'))
  return file === undefined ? { code: found.includes('denied') ? 'EACCES' : 'ENOENT' } : { file }
}

/** The file itself if it can be executed; a folder that may not be entered hides nothing in the next one. */
function look(file: string): string | 'denied' | 'none' {
  try {
    if (!statSync(file).isFile()) return 'none'
    accessSync(file, constants.X_OK)
    return file
  } catch (error) {
    return systemCode(error) === 'EACCES' ? 'denied' : 'none'
  }
}
