import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'

export interface Program {
  /** Absolute where it was found; otherwise as it was written. */
  readonly path: string
  readonly state: 'executable' | 'not_executable' | 'missing'
  readonly lookedIn: readonly string[]
}

/** Programs that were found: a plan of a million runs asks for the same one a million times. */
const found = new Map<string, Program>()

/** A program with a `/` in it is beside the configuration file, or in the working directory; any other is on the PATH. */
export function locateProgram(program: string, folder: string): Program {
  if (!program.includes('/')) return { path: program, state: 'executable', lookedIn: [] }
  const question = `${folder}\0${process.cwd()}\0${program}`
  const known = found.get(question)
  if (known !== undefined) return known
  const located = look(program, folder)
  if (located.state === 'executable') found.set(question, located)
  return located
}

function look(program: string, folder: string): Program {
  const lookedIn = isAbsolute(program) ? [] : [...new Set([folder, process.cwd()])]
  const paths = isAbsolute(program) ? [program] : lookedIn.map(dir => resolve(dir, program))
  const executable = paths.find(isExecutable)
  if (executable !== undefined) return { path: executable, state: 'executable', lookedIn }
  const present = paths.find(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  if (present !== undefined) return { path: present, state: 'not_executable', lookedIn }
  return { path: paths[0] ?? program, state: 'missing', lookedIn }
}

/** Where a plain name is found, as the operating system would; for `check` only, as starting it looks by itself. */
export function isOnPath(program: string, path = process.env.PATH ?? ''): boolean {
  return path.split(delimiter).some(dir => isExecutable(join(dir || '.', program)))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
