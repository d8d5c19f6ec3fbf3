import { existsSync, statSync } from 'node:fs'
import { extname, join, relative, resolve } from 'node:path'
import type { Evidence } from '../../define/observation.ts'
import { hasTrajectories } from '../../models/trajectory/trajectory-files.ts'
import {
  evidenceOf,
  isBatchFolder,
  keptEvidence,
  originalRunsIn,
  type ReadOptions,
} from '../../record/evidence/evidence.ts'
import { asExperimentDirectory, experimentsUnder } from '../../record/places.ts'
import { evidenceOfTrajectories } from '../../report/gather/trajectory-evidence.ts'
import { csvText, type Spell } from '../../report/tables.ts'
import { AssayError } from '../../util/errors.ts'
import { listed } from '../../util/words.ts'
import { experimentDirArgument } from '../experiment/experiment-dir-argument.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { sweepTable } from './sweep-table.ts'

const tables = ['.csv', '.jsonl', '.ndjson']

/**
 * The runs that a command line refers to: experiment directories, tables, or the experiment here; only those that pass
 * the filter.
 */
export function evidenceArgument(
  args: readonly string[],
  options: Options,
  io: Io,
  read: ReadOptions,
  // A comparison includes them in its warnings.
  { tellsNotes = true }: { readonly tellsNotes?: boolean } = {},
): Evidence {
  const sources = args.length === 0 ? [undefined] : args
  const pairBy = pairedBy(options)
  const evidence = keptEvidence(
    sources.map(source => evidenceFrom(source, options, io, read)),
    { ...options, pairBy },
  )
  if (tellsNotes) writeLines(io.stderr, evidence.notes ?? [])
  return evidence
}

/** `none`: nothing belongs together, and no clusters are searched for. */
export const pairedBy = ({ pairBy }: Options): readonly string[] | undefined =>
  pairBy?.length === 1 && pairBy[0] === 'none' ? [] : pairBy

function evidenceFrom(source: string | undefined, options: Options, io: Io, read: ReadOptions): Evidence {
  const named = source ?? options.expDir
  const path = named === undefined ? undefined : resolve(io.cwd, named)
  if (path !== undefined && isTable(path))
    return evidenceOf(path, {
      ...read,
      columns: {
        group: options.group ?? [],
        pairBy: pairedBy(options) ?? null,
        run: options.run ?? null,
        step: options.step ?? null,
      },
    })
  if (path !== undefined && isBatchFolder(path)) return evidenceOf(path, read)
  const originals = path === undefined ? null : originalRunsIn(path)
  if (path !== undefined && originals !== null) return sweepTable(path, options, csvText(originals, asWritten))
  if (source !== undefined && path !== undefined && isOtherFolder(path)) {
    if (!isTrajectories(path)) throw noExperiment(source, path)
    return evidenceOfTrajectories(path, read, ({ file, reason }) =>
      io.stderr.write(`${join(source, file)} ${reason}: left out\n`),
    )
  }
  return evidenceOf(experimentDirArgument(source === undefined ? [] : [source], options, io), read)
}

/** For cells that are already text. */
export const asWritten: Spell = (_, value) => (typeof value === 'string' ? value : '')

/** A folder that is not an experiment's. */
export const isOtherFolder = (path: string): boolean =>
  (statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false) && asExperimentDirectory(path) === undefined

/** Files of other programs, not an experiment that has them among its runs. */
export const isTrajectories = (path: string): boolean =>
  isOtherFolder(path) && experimentsUnder(path).length === 0 && hasTrajectories(path)

function noExperiment(source: string, path: string): AssayError {
  const inside = experimentsUnder(path).map(dir => join(source, relative(path, dir)))
  if (inside.length === 0)
    return new AssayError('not_found', `nothing was run in ${source}: it has no journal.db`, {
      hint: 'give the directory that `assay run` printed, a table (.csv, .jsonl), or a folder of trajectories',
    })
  return new AssayError('usage', `${source} is not an experiment, but contains ${listed(inside)}`, {
    hint: inside.length === 1 ? `give ${inside[0]}` : 'name one of them, or several to analyse them together',
  })
}

/** Judged by its ending; a directory may have any name. */
export const isTable = (path: string): boolean =>
  tables.includes(extname(path)) && (existsSync(path) ? statSync(path).isFile() : true)
