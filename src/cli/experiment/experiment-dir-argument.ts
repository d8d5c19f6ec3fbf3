import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { asExperimentDirectory } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { type Chosen, chooseExperiment } from './choose-experiment.ts'
import { experimentById } from './short-id.ts'

/**
 * The experiment directory that a command line refers to: given itself, by its short id, configuration file or folder,
 * or found from here.
 */
export function experimentDirArgument(args: readonly string[], options: Options, io: Io): string {
  return experimentArgument(args, options, io).dir
}

/** The same, with the definition that led to it; null if the directory or its id was given. */
export function experimentArgument(
  [named]: readonly string[],
  options: Options,
  io: Io,
): { readonly dir: string; readonly defined: Chosen | null } {
  const given = named ?? options.expDir
  const path = given === undefined ? undefined : resolve(io.cwd, given)
  const existing =
    path === undefined ? undefined : (asExperimentDirectory(path) ?? experimentById(given ?? '', options, io))
  if (existing !== undefined) return { dir: existing, defined: null }
  // Anything else can only be the file that defines the experiment, or its folder.
  if (path !== undefined && statSync(path, { throwIfNoEntry: false }) === undefined) throw notThere(given ?? '')
  const defined = given === undefined ? definedHere(options, io) : chooseExperiment([given], options, io)
  if (asExperimentDirectory(defined.dir) === undefined)
    throw new AssayError('not_found', `the experiment has not been run yet: ${defined.dir} does not exist`, {
      hint: '`assay run` runs it.',
    })
  return { dir: defined.dir, defined }
}

function definedHere(options: Options, io: Io): Chosen {
  try {
    return chooseExperiment([], options, io)
  } catch (error) {
    if (!(error instanceof AssayError) || error.facts.candidates === undefined) throw error
    throw new AssayError('usage', 'no experiment was named, and there is no experiment file here', {
      hint: 'Give the directory that `assay run` printed, the file that defines it, or an id of `assay sweep list`.',
    })
  }
}

function notThere(dir: string): AssayError {
  return new AssayError('not_found', `${dir} is not an experiment directory: it has no journal.db`, {
    hint: 'Give the directory that `assay run` printed, or an id of `assay sweep list`; or run the experiment first.',
  })
}
