import { findProgram } from '../../../process/spawn/spawn-group.ts'
import { onlyMacro, parseTemplate } from '../template.ts'

let found: 'python' | 'python3' | null | undefined

/** The name of Python on this machine; null: there is none. Looked up once: a plan of many runs asks for each. */
export function pythonInterpreter(): 'python' | 'python3' | null {
  if (found === undefined) found = (['python', 'python3'] as const).find(isOnPath) ?? null
  return found
}

/** In a command with macros a plain `python` means the same as `${interpreter}`: many a machine has only `python3`. */
export function withInterpreter(command: readonly string[]): readonly string[] {
  if (!isForInterpreter(command) || pythonInterpreter() !== 'python3') return command
  return command.map(word => (word === 'python' ? 'python3' : word))
}

export const isForInterpreter = (command: readonly string[]): boolean =>
  command.includes('python') && command.some(word => onlyMacro(parseTemplate(word)) !== null)

const isOnPath = (name: string): boolean => 'file' in findProgram(name, process.cwd(), process.env.PATH)
