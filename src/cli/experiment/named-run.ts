import { existsSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { asExperimentDirectory, runsFolder } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import type { Io } from '../io.ts'

interface NamedRun {
  /** Where; undefined: here. */
  readonly given?: string
  readonly wanted: string
}

/** An experiment and a run of it; `results/sweep/runs/full__seed1`, a run's folder; or only a run, of the experiment here. */
export function namedRun([first, second]: readonly string[], { cwd }: Io, command: string): NamedRun {
  if (first !== undefined && second !== undefined) return { given: first, wanted: second }
  const path = resolve(cwd, first ?? '')
  const dir = dirname(dirname(path))
  if (dirname(path) === runsFolder(dir) && asExperimentDirectory(dir) !== undefined)
    return { given: dir, wanted: basename(path) }
  // What is there, or would be in a folder, is a place that a run is missing of.
  if (first === undefined || first.includes('/') || existsSync(path))
    throw new AssayError(
      'usage',
      `which run? \`assay ${command}\` needs an experiment and a run, or the folder of a run`,
    )
  return { wanted: first }
}
