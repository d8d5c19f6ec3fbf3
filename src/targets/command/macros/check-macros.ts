import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment } from '../../../define/experiment.ts'
import type { MacroName } from '../../../define/spelling/spelling.ts'
import type { Problem } from '../../../define/target.ts'
import type { CommandSpec } from '../spec.ts'
import { onlyMacro, parseTemplate } from '../template.ts'
import { isForInterpreter, pythonInterpreter } from './interpreter.ts'

export const usesMacro = (spec: CommandSpec, macro: MacroName): boolean => macrosIn(spec).includes(macro)

/** Macros without a value here: no interpreter, no program. */
export function checkMacros(spec: CommandSpec, experiment: Experiment): readonly Problem[] {
  const at = (macro: MacroName): Problem['path'] => ['target', 'command', macrosIn(spec).indexOf(macro)]
  const problems: Problem[] = []
  if (usesMacro(spec, 'interpreter') && pythonInterpreter() === null)
    problems.push({
      path: at('interpreter'),
      message: 'neither python nor python3 was found on the PATH',
      hint: 'install Python, or name another interpreter in the command',
      isOnlyForRuns: true,
    })
  if (usesMacro(spec, 'program') && spec.program === undefined)
    problems.push({ path: at('program'), message: '${program} stands for "program", which is missing' })
  return [...problems, ...missingProgram(spec, experiment)]
}

/** Notes for the user: that another interpreter is used than the written one. */
export function macroNotes({ command }: CommandSpec): readonly string[] {
  if (typeof command === 'string' || !isForInterpreter(command) || pythonInterpreter() !== 'python3') return []
  return ['there is no "python" on the PATH: python3 is used instead']
}

/** Only if it must be a file of this machine: what follows a container's name, or `-m`, may be anything. */
function missingProgram(spec: CommandSpec, { folder }: Experiment): readonly Problem[] {
  const { command, program, cwd } = spec
  if (typeof command === 'string' || program === undefined) return []
  const before = command.slice(0, macrosIn(spec).indexOf('program'))
  if (!usesMacro(spec, 'program') || !before.every(isPlain)) return []
  const place = resolve(folder, cwd ?? '.')
  if (statSync(resolve(place, program), { throwIfNoEntry: false })?.isFile()) return []
  const places = [...new Set([place, folder])]
  const message = `program "${program}" was not found in ${places.join(' or ')}`
  return [{ path: ['target', 'program'], message, isOnlyForRuns: true }]
}

const isPlain = (word: string): boolean =>
  ['${env}', '${interpreter}', '/usr/bin/env', 'python', 'python3', '-u'].includes(word)

/** For each word; null if it is not one. */
const macrosIn = ({ command }: CommandSpec): readonly (MacroName | null)[] =>
  typeof command === 'string' ? [] : command.map(word => onlyMacro(parseTemplate(word)))
