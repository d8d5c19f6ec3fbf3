import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { locateProgram } from './program.ts'
import type { CommandSpec } from './spec.ts'
import { onlyMacro, parseTemplate, placeholdersIn } from './template.ts'

/** The files that a command line names and that do not depend on the run: `./sim`, or `train.py` in `python train.py`. */
export function commandFiles(spec: CommandSpec, experiment: Experiment): readonly string[] {
  if (typeof spec.command === 'string') return []
  const cwd = resolve(experiment.folder, placeholdersIn(spec.cwd ?? '').length > 0 ? '.' : (spec.cwd ?? '.'))
  const words = spec.command.map(word => (onlyMacro(parseTemplate(word)) === 'program' ? (spec.program ?? '') : word))
  const fixed = words.filter(word => word !== '' && parseTemplate(word).every(part => part.kind === 'text'))
  return fixed
    .map((word, index) => (index === 0 ? locateProgram(word, experiment.folder, spec.cwd).path : resolve(cwd, word)))
    .map(path => resolve(cwd, path))
    .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false)
}
