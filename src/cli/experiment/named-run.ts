import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { asExperimentDirectory, runsFolder } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import type { Io } from '../io.ts'

interface NamedRun {
  /** The experiment; undefined: the one here. */
  readonly given?: string
  readonly wanted: string
}

/**
 * An experiment and one of its runs; `results/sweep/runs/full__seed1`, a run's folder; or only a run, of the experiment
 * here.
 */
export function namedRun([first, second]: readonly string[], { cwd }: Io, command: string): NamedRun {
  if (first !== undefined && second !== undefined) return { given: first, wanted: second }
  const path = resolve(cwd, first ?? '')
  const dir = dirname(dirname(path))
  if (dirname(path) === runsFolder(dir) && asExperimentDirectory(dir) !== undefined)
    return { given: dir, wanted: basename(path) }
  // An existing path, or one that names a place in a folder, is an experiment without a run.
  if (first === undefined || first.includes('/') || existsSync(path))
    throw new AssayError(
      'usage',
      `which run? \`assay ${command}\` needs an experiment and a run, or the folder of a run`,
    )
  return { wanted: first }
}
