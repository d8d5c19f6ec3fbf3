import { existsSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { validTargetSpec } from '../../check/valid-target-spec.ts'
import type { TargetSpec } from '../../experiment.ts'
import type { Source } from '../../source/source.ts'
import type { LoadContext } from '../dialect.ts'
import { defaultCommand, isLeftOut, withoutPlaceholders, wordsOf } from './sweep-command.ts'
import type { WrittenSweep } from './sweep-schema.ts'

/** A program that gets its parameters on the command line, and as `wandb.config` if it asks for them there. */
export function sweepTarget(written: WrittenSweep, source: Source, { targets, cwd, folder }: LoadContext): TargetSpec {
  const { program, command, project, entity } = written
  const words = (command === undefined ? defaultCommand : wordsOf(command, source)).filter(word => !isLeftOut(word))
  return validTargetSpec(targets, {
    kind: 'command',
    command: words.map(withoutPlaceholders),
    ...(program !== undefined && { program }),
    cwd: placeOf(program === undefined ? words : [program], { cwd, folder }),
    wandb: {
      module: written.wandb,
      ...(project !== undefined && { project }),
      ...(entity !== undefined && { entity }),
    },
  })
}

/** W&B's agent starts programs in its own working directory; if assay is started elsewhere, the file's folder is meant. */
function placeOf(names: readonly string[], { cwd, folder }: { readonly cwd: string; readonly folder: string }): string {
  const isIn = (place: string) =>
    names.some(name => name !== '' && !isAbsolute(name) && existsSync(resolve(place, name)))
  return !isIn(cwd) && isIn(folder) ? folder : cwd
}
