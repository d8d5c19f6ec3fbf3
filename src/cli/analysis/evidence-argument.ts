import { existsSync, statSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import type { Evidence } from '../../plan/evidence.ts'
import { filterEvidence } from '../../plan/select/filter-evidence.ts'
import { evidenceOf, type ReadOptions } from '../../record/evidence/from-journal.ts'
import { evidenceOfTable } from '../../record/evidence/from-table.ts'
import { mergeEvidence } from '../../record/evidence/merge.ts'
import { AssayError } from '../../util/errors.ts'
import { experimentDirArgument } from '../experiment/experiment-dir-argument.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'

const tables = ['.csv', '.jsonl', '.ndjson']

/** The runs that a command line means: experiment directories, tables, or the experiment here; only what the filter leaves. */
export function evidenceArgument(args: readonly string[], options: Options, io: Io, read: ReadOptions): Evidence {
  const sources = args.length === 0 ? [undefined] : args
  const all = sources.map(source => evidenceFrom(source, options, io, read))
  const evidence = withPairing(mergeEvidence(all), options.pairBy)
  const kept = filterEvidence(evidence, options.filter ?? [])
  if (kept.runs.length === 0)
    throw new AssayError(
      'usage',
      evidence.runs.length === 0 ? 'no run has ended yet: there is nothing to look at' : 'no run passes the filter',
    )
  return kept
}

function evidenceFrom(source: string | undefined, options: Options, io: Io, read: ReadOptions): Evidence {
  const path = source === undefined ? undefined : resolve(io.cwd, source)
  if (path !== undefined && isTable(path))
    return evidenceOfTable(path, {
      group: options.group ?? [],
      pairBy: options.pairBy ?? [],
      run: options.run ?? null,
      step: options.step ?? null,
    })
  return evidenceOf(experimentDirArgument(source === undefined ? [] : [source], options, io), read)
}

/** By its ending; a directory may have any name. */
export const isTable = (path: string): boolean =>
  tables.includes(extname(path)) && (existsSync(path) ? statSync(path).isFile() : true)

/** `--pair-by` says anew what belongs together. */
const withPairing = (evidence: Evidence, pairBy: readonly string[] | undefined): Evidence =>
  pairBy === undefined ? evidence : { ...evidence, blocks: pairBy }
