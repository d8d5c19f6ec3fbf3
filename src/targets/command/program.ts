import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

export interface Program {
  /** Absolute where it was found; otherwise as it was written. */
  readonly path: string
  readonly state: 'executable' | 'not_executable' | 'missing'
  readonly lookedIn: readonly string[]
}

/** The last one that was found: a plan of a million runs asks for the same program a million times. */
let last: { readonly program: string; readonly folder: string; readonly located: Program } | null = null

/** A program with a `/` in it is beside the configuration file, or in the working directory; any other is on the PATH. */
export function locateProgram(program: string, folder: string): Program {
  if (!program.includes('/')) return { path: program, state: 'executable', lookedIn: [] }
  if (last?.program === program && last.folder === folder) return last.located
  const located = look(program, folder)
  if (located.state === 'executable') last = { program, folder, located }
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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
