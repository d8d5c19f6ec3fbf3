import { accessSync, constants, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { systemCode } from '../../util/errors.ts'
import { findProgram } from './find-program.ts'
import type { Exit, Program, Started } from './starter.ts'

/** A program that never ran. */
export const notStarted = (program: Program, code: string): Started => ({
  pid: null,
  exit: Promise.resolve(whyNot(program, code)),
})

/** In words, as the code of an error does not say what it was that is not there. */
export function whyNot({ argv: [name = ''], cwd, env }: Program, code: string): Exit {
  return { kind: 'not_started', code, message: `${reason()} (${code})` }

  function reason(): string {
    switch (code) {
      case 'ENOENT':
        return folderTrouble() ?? whatIsMissing()
      case 'EACCES':
        return folderTrouble() ?? `${name} may not be executed`
      case 'E2BIG':
        return 'its arguments and environment are longer than the system allows'
      case 'EINVAL':
        return 'an argument, a variable or its folder has a NUL byte in it'
      default:
        return folderTrouble() ?? `the system refuses ${name}`
    }
  }

  function folderTrouble(): string | null {
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
    if (name === '') return 'a program without a name can be none'
    const found = findProgram(name, cwd, env.PATH)
    const file = 'file' in found ? resolve(cwd, found.file) : null
    if (file !== null && existsSync(file)) return `what the first line of ${file} says must run it is not there`
    return name.includes('/') ? `there is no file ${name}` : `there is no program ${name} in PATH`
  }
}
