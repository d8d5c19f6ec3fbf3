import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { asExperimentDirectory } from '../../record/directory/experiment-directory.ts'
import { AssayError } from '../../util/errors.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { chooseExperiment } from './choose-experiment.ts'
import { experimentById } from './short-id.ts'

/** The experiment directory that a command line means: named itself, by its short id or configuration file, or found from here. */
export function experimentDirArgument([named]: readonly string[], options: Options, io: Io): string {
  const given = named ?? options.expDir
  const path = given === undefined ? undefined : resolve(io.cwd, given)
  const existing =
    path === undefined ? undefined : (asExperimentDirectory(path) ?? experimentById(given ?? '', options, io))
  if (existing !== undefined) return existing
  // What is no directory can only be the file that the experiment is defined in.
  if (path !== undefined && !statSync(path, { throwIfNoEntry: false })?.isFile()) throw notThere(given ?? '')
  const { dir } = chooseExperiment(given === undefined ? [] : [given], options, io)
  if (asExperimentDirectory(dir) === undefined) throw notThere(dir)
  return dir
}

function notThere(dir: string): AssayError {
  return new AssayError('not_found', `${dir} is not an experiment directory: it has no journal.db`, {
    hint: 'Give the directory that `assay run` printed, or an id of `assay sweep list`; or run the experiment first.',
  })
}
