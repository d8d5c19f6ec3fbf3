import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'

/** The file that a program's name stands for, found as execvp(3) does; otherwise why there is none. */
export function findProgram(
  name: string,
  cwd: string,
  path = '/bin:/usr/bin',
): { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' } {
  // A path is tried by whoever starts it, from the folder it starts in.
  if (name.includes('/')) return { file: name }
  if (name === '') return { code: 'ENOENT' }
  const there = path
    .split(':')
    .map(folder => resolve(cwd, folder, name))
    .filter(isFile)
  const file = there.find(isExecutable)
  return file === undefined ? { code: there.length > 0 ? 'EACCES' : 'ENOENT' } : { file }
}

const isFile = (file: string): boolean => statSync(file, { throwIfNoEntry: false })?.isFile() ?? false

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
