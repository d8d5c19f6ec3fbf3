import { existsSync, globSync, realpathSync } from 'node:fs'
import { basename, dirname, join, parse, resolve } from 'node:path'
import type { Mount } from '../../../process/sandbox/box.ts'
import { findBinary, isOfSystem, isSystemProgram, shebangOf } from './find-program.ts'

/** How a program of this machine is started in a box, and which files of this machine the box must show for that. */
export interface ProgramInBox {
  readonly argv: readonly string[]
  readonly mounts: readonly Mount[]
}

/**
 * A box has the programs of the system. Others are mounted at the same paths, read-only: the file, the packages that it
 * belongs to, and its interpreter. A program of a package is started by its real path, since it looks for its other
 * files from there.
 */
export function programInBox(program: string, path = process.env.PATH ?? ''): ProgramInBox {
  const real = realpathSync(program)
  const packages = packagesOf(real)
  const start = packages === null ? program : real
  const [interpreter, ...options] = interpreterOf(real, path, packages !== null)
  const isStarted = interpreter !== undefined && !interpreter.isWritten
  return {
    argv: isStarted ? [interpreter.file, ...options.map(({ file }) => file), start] : [start],
    mounts: mountsOf([packages ?? start, ...(interpreter === undefined ? [] : placesOf(interpreter.file))]),
  }
}

interface Word {
  readonly file: string
  /** The script names this very file, so the kernel finds it. */
  readonly isWritten: boolean
}

/**
 * `#!/usr/bin/env node` of a package means the one that comes first in PATH. In a box PATH leads to programs of the
 * system only, so any other is named on the command line. A user's own script uses what the box has.
 */
function interpreterOf(script: string, path: string, isPackaged: boolean): readonly Word[] {
  const [program = '', ...words] = shebangOf(script)
  if (basename(program) !== 'env')
    return program === '' || isOfSystem(program) ? [] : [{ file: program, isWritten: true }]
  const [name = '', ...options] = words.filter(word => word !== '-S')
  if (!isPackaged && isSystemProgram(name)) return []
  const found = findBinary(name, path)
  if (found === null || isOfSystem(found)) return []
  return [realpathSync(found), ...options].map(file => ({ file, isWritten: false }))
}

/** An interpreter by its called path and by its real one. Python also needs its library next to it. */
function placesOf(interpreter: string): readonly string[] {
  const real = existsSync(interpreter) ? realpathSync(interpreter) : null
  if (real === null) return []
  const prefix = dirname(dirname(real))
  const hasLibrary = /^python/.test(basename(real)) && globSync('lib/python3*', { cwd: prefix }).length > 0
  return [environmentOf(interpreter) ?? interpreter, hasLibrary ? prefix : real]
}

/** Those within another are shown with it. */
function mountsOf(places: readonly string[]): readonly Mount[] {
  const own = [...new Set(places)].filter(place => !isOfSystem(place))
  return own
    .filter(place => !own.some(other => place.startsWith(`${other}/`)))
    .map(place => ({ source: realpathSync(place), target: place, writable: false }))
}

/** All packages that are installed together with the one of this file, as they use one another; null: it has none. */
const packagesOf = (file: string): string | null => /^.*?\/node_modules(?=\/)/.exec(file)?.[0] ?? environmentOf(file)

/** The virtual environment of Python that a file is part of. */
function environmentOf(file: string): string | null {
  const { root } = parse(file)
  for (let folder = dirname(file); folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, 'pyvenv.cfg'))) return folder
  return null
}

/** Whether a word of a command names a file next to the experiment. */
export const isBeside = (word: string): boolean => /^\.\.?\//.test(word)

/**
 * Words that begin with ./ or ../ name files next to the experiment: in a box they are at the same absolute path.
 * Others stay as written, since a task has its own files.
 */
export function besideExperiment(word: string, folder: string): string {
  if (!isBeside(word)) return word
  const path = resolve(folder, word)
  return existsSync(path) ? path : word
}

/** Files of this machine that an agent's command and settings name. */
export function agentFiles(command: readonly string[], mounts: readonly string[], folder: string): readonly Mount[] {
  const beside = command.slice(1).filter(word => besideExperiment(word, folder) !== word)
  const own = [...beside, ...mounts].map(path => resolve(folder, path))
  return own.map(path => ({ source: realpathSync(path), target: path, writable: false }))
}
