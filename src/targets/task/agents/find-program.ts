import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path'

/** The place of an agent's program on this machine; null: not found. Names without a slash are searched in PATH. */
export function findProgram(name: string, folder: string, path = process.env.PATH ?? ''): string | null {
  if (name.includes('/')) return runnable(isAbsolute(name) ? name : resolve(folder, name))
  const places = path.split(delimiter).filter(isAbsolute)
  for (const place of [...places.filter(one => !isOfShims(one)), ...places.filter(isOfShims)]) {
    const found = runnable(join(place, name))
    if (found !== null) return found
  }
  return null
}

/** The first in PATH that is not a script: those of version managers only look for another one. */
export const findBinary = (name: string, path: string): string | null =>
  path
    .split(delimiter)
    .map(place => findProgram(name, '/', place))
    .find(found => found !== null && shebangOf(found).length === 0) ?? null

/** Programs of the system are in every box; other boxes have those of an image. */
export const isOfSystem = (path: string): boolean => /^\/(usr|s?bin|lib(32|64)?)\//.test(path)

/** Whether the system has a program of that name, whatever comes first in PATH. */
export const isSystemProgram = (name: string): boolean =>
  !name.includes('/') && findProgram(name, '/', '/usr/local/bin:/usr/bin:/bin') !== null

/** Where pyenv, asdf and the like keep scripts that only look up the real program: in a box they would find none. */
const isOfShims = (folder: string): boolean => basename(folder) === 'shims'

function runnable(file: string): string | null {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? file : null
  } catch {
    return null
  }
}

/** The words after `#!` in the first line of a script; empty if it is not a script. */
export function shebangOf(file: string): readonly string[] {
  const [, line = ''] = /^#!(.*)/.exec(beginningOf(file)) ?? []
  return line.trim().split(/\s+/).filter(Boolean)
}

/** A program may be hundreds of megabytes long. */
function beginningOf(file: string): string {
  const piece = Buffer.alloc(256)
  const descriptor = openSync(file, 'r')
  try {
    return piece.toString('latin1', 0, readSync(descriptor, piece))
  } finally {
    closeSync(descriptor)
  }
}
