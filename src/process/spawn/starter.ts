import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemCode } from '../../util/errors.ts'

/** A program to start, with everything it needs. */
export interface Program {
  /** The program and its arguments. */
  readonly argv: readonly string[]
  readonly cwd: string
  /** All of it: nothing else is inherited. */
  readonly env: Environment
  /** Open files that its output goes to. */
  readonly stdout: number
  readonly stderr: number
}

/** The variables of a process; undefined ones are absent. */
export type Environment = Readonly<Record<string, string | undefined>>

/** How a process ended, or why there never was one. */
export type Exit =
  | ({ readonly kind: 'exited'; readonly code: number } & Used)
  | ({ readonly kind: 'signalled'; readonly signal: string } & Used)
  | { readonly kind: 'not_started'; readonly code: string; readonly message: string }
  /** Other code in this process collected its exit status, so it can't be known here. */
  | { readonly kind: 'lost' }

interface Used {
  /** CPU time as the kernel counts it, of the process and of all children that it waited for; null: not measured. */
  readonly cpu_s: number | null
}

interface Started {
  /** The process; null: it could not be started. */
  readonly pid: number | null
  readonly exit: Promise<Exit>
  /** It can't be ended: from now on it keeps nothing waiting. */
  giveUp(): void
}

/** Starts a program as the leader of its own session and process group, with all signals as a shell would have them. */
export type Starter = (program: Program) => Started

/** A program that never ran. */
export const notStarted = (program: Program, code: string): Started => ({
  pid: null,
  exit: Promise.resolve(withReason(program, code)),
  giveUp: () => undefined,
})

/** In words, as an error code does not say which file was missing. */
export function withReason({ argv: [name = ''], cwd, env }: Program, code: string): Exit {
  return { kind: 'not_started', code, message: `${reason()} (${code})` }

  function reason(): string {
    switch (code) {
      case 'ENOENT':
        return folderProblem() ?? whatIsMissing()
      case 'EACCES':
        return folderProblem() ?? `${name} may not be executed`
      case 'E2BIG':
        return 'its arguments and environment are longer than the system allows'
      case 'EINVAL':
        return 'an argument, a variable or its folder has a NUL byte in it'
      default:
        return folderProblem() ?? `the system refuses ${name}`
    }
  }

  function folderProblem(): string | null {
    try {
      accessSync(`${cwd}/.`, constants.X_OK)
      return null
    } catch (error) {
      switch (systemCode(error)) {
        case 'ENOENT':
          return `there is no folder ${cwd}`
        case 'ENOTDIR':
          return `${cwd} is no folder`
        default:
          return `the folder ${cwd} may not be entered`
      }
    }
  }

  function whatIsMissing(): string {
    if (name === '') return 'the name of the program is empty'
    const found = findProgram(name, cwd, env.PATH)
    const file = 'file' in found ? resolve(cwd, found.file) : null
    if (file !== null && existsSync(file)) return `what the first line of ${file} says must run it is not there`
    return name.includes('/') ? `there is no file ${name}` : `there is no program ${name} in PATH`
  }
}

/** The file of a program's name, found as in execvp(3); otherwise why there is none. */
export function findProgram(
  name: string,
  cwd: string,
  path = '/bin:/usr/bin',
): { readonly file: string } | { readonly code: 'ENOENT' | 'EACCES' } {
  // The starter tries a path itself, from the folder it starts in.
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
