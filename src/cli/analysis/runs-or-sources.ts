import { existsSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Evidence } from '../../define/observation.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import type { ReadOptions } from '../../record/evidence/evidence.ts'
import { asExperimentDirectory } from '../../record/places.ts'
import { AssayError } from '../../util/errors.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { evidenceArgument, isOtherFolder, isTable, pairedBy } from './evidence-argument.ts'
import { RunFinder, sourcesOfRuns } from './find-runs.ts'

/** Runs named one by one, in that order, or all runs of experiment directories and tables. */
export function runsOrSources(args: readonly string[], options: Options, io: Io, read: ReadOptions): Evidence {
  const runs = args.filter(word => !isSource(word, io))
  if (runs.length === 0) return evidenceArgument(args, options, io, read)
  const [source] = args.filter(word => !runs.includes(word))
  if (source !== undefined)
    throw new AssayError('usage', `${source} is an experiment, ${runs[0]} is a run: give runs or experiments, not both`)
  return filterEvidence(evidenceOfRuns(runs, options, io, read), options.filter ?? [])
}

function isSource(word: string, io: Io): boolean {
  const path = resolve(io.cwd, word)
  return isTable(path) || asExperimentDirectory(path) !== undefined || isFile(path) || isNoRun(path)
}

/** A folder that is not in the `runs/` of an experiment. */
const isNoRun = (path: string): boolean =>
  isOtherFolder(path) && asExperimentDirectory(resolve(path, '../..')) === undefined

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile() && extname(path) !== ''

function evidenceOfRuns(names: readonly string[], options: Options, io: Io, read: ReadOptions): Evidence {
  const finder = new RunFinder(resolve(io.cwd, options.outRoot ?? '.'), read, io.cwd)
  const found = names.map(name => finder.locate(name))
  const runs = found.map(({ run }) => run)
  const again = runs.findIndex((run, index) => runs.indexOf(run) < index)
  if (again >= 0)
    throw new AssayError('usage', `the run ${runs[again]?.name} is named twice: counted twice it would hide variation`)
  return {
    runs,
    metrics: [],
    blocks: pairedBy(options) ?? [...new Set(runs.flatMap(run => Object.keys(run.block)))],
    // Everything that they differ in is a factor: it is unknown which parameters were meant to be.
    factors: [...new Set(runs.flatMap(run => Object.keys(run.params)))],
    levels: {},
    baseline: null,
    sources: sourcesOfRuns(found),
  }
}
