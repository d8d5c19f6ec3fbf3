import { accessSync, constants, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'

export interface Program {
  /** Absolute if it was found; otherwise as written. */
  readonly path: string
  readonly state: 'executable' | 'not_executable' | 'missing'
  readonly searched: readonly string[]
}

/** The last one found: a plan of a million runs asks for the same program a million times. */
let last: {
  readonly program: string
  readonly folder: string
  readonly cwd: string | undefined
  readonly located: Program
} | null = null

/**
 * A program with a `/` is searched next to the configuration file, in the start folder of runs if that is known, or in
 * the working directory; any other on the PATH.
 */
export function locateProgram(program: string, folder: string, cwd?: string): Program {
  if (!program.includes('/')) return { path: program, state: 'executable', searched: [] }
  if (last?.program === program && last.folder === folder && last.cwd === cwd) return last.located
  const starts = cwd !== undefined && isAbsolute(cwd) ? [cwd] : []
  const located = search(program, [...new Set([folder, ...starts, process.cwd()])], starts[0] ?? folder)
  if (located.state === 'executable') last = { program, folder, cwd, located }
  return located
}

function search(program: string, places: readonly string[], start: string): Program {
  const searched = isAbsolute(program) ? [] : places
  const paths = isAbsolute(program) ? [program] : searched.map(dir => resolve(dir, program))
  const executable = paths.find(isExecutable)
  if (executable !== undefined) return { path: executable, state: 'executable', searched }
  const present = paths.find(path => statSync(path, { throwIfNoEntry: false })?.isFile())
  if (present !== undefined) return { path: present, state: 'not_executable', searched }
  // Where the program would be if it existed: the start folder of its runs precedes the folder of the file.
  return { path: resolve(start, program), state: 'missing', searched }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
