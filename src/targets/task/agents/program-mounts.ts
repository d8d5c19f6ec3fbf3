import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, parse, resolve } from 'node:path'
import type { Mount } from '../../../process/sandbox/box.ts'

/** Where the program of an agent is on this machine; null: nowhere. Names without a slash are looked for in PATH. */
export function findProgram(name: string, folder: string, path = process.env.PATH ?? ''): string | null {
  if (name.includes('/')) return runnable(isAbsolute(name) ? name : resolve(folder, name))
  for (const place of path.split(delimiter).filter(isAbsolute)) {
    const found = runnable(join(place, name))
    if (found !== null) return found
  }
  return null
}

function runnable(file: string): string | null {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile() ? file : null
  } catch {
    return null
  }
}

/**
 * What a box must show so that a program of this machine runs in it: the program itself, and the package that it is part
 * of, at the same paths. A script of Node also needs the Node that comes first in PATH.
 */
export function programMounts(program: string, path = process.env.PATH ?? ''): readonly Mount[] {
  const real = realpathSync(program)
  const node = /\.[cm]?js$/.test(real) ? findProgram('node', '/', path) : null
  const places = [program, packageOf(real), ...(node === null ? [] : [node, realpathSync(node)])]
  return [...new Set(places)]
    .filter(place => !isOfSystem(place))
    .map(place => ({ source: realpathSync(place), target: place, writable: false }))
}

/** Programs of the system are in every box, or those of an image are. */
const isOfSystem = (path: string): boolean => /^\/(usr|s?bin|lib(32|64)?)\//.test(path)

/** The outermost folder in node_modules that a file is part of, since packages there use one another; else the file. */
function packageOf(file: string): string {
  const { root } = parse(file)
  for (let folder = dirname(file); folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, 'node_modules')) || folder.endsWith('/node_modules')) return folder
  return file
}

/**
 * Words that begin with ./ or ../ name files beside the experiment: in a box they are at the same absolute path. Others
 * are meant as they stand, since a task has files of its own.
 */
export function besideExperiment(word: string, folder: string): string {
  if (!/^\.\.?\//.test(word)) return word
  const path = resolve(folder, word)
  return existsSync(path) ? path : word
}

/** Everything of this machine that the box of an agent shows. */
export function agentFiles(command: readonly string[], mounts: readonly string[], folder: string): readonly Mount[] {
  const [name = ''] = command
  const program = findProgram(name, folder)
  const beside = command.slice(1).filter(word => besideExperiment(word, folder) !== word)
  const own = [...beside, ...mounts].map(path => resolve(folder, path))
  const shown = own.map(path => ({ source: realpathSync(path), target: path, writable: false }))
  return [...(program === null ? [] : programMounts(program)), ...shown]
}
