import { join, resolve } from 'node:path'
import { instanceColumns } from '../../../analyze/trajectories/instance.ts'
import { originalRunsIn } from '../../../record/evidence/evidence.ts'
import { definitionOf, readExperiment } from '../../../record/journal/experiment-row.ts'
import { recordedRuns } from '../../../record/read/observations.ts'
import { cellText, csvText, jsonlText, runsTable, type Spell, type Table } from '../../../report/tables.ts'
import { AssayError } from '../../../util/errors.ts'
import { writeWhole } from '../../../util/files.ts'
import { asWritten, isTrajectories } from '../../analysis/evidence-argument.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'
import { instancesCsv, parseFolder } from '../../trajectories/parsed-folder.ts'

export async function collectCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [named] = args
  if (named !== undefined && isTrajectories(resolve(io.cwd, named))) return collectTrajectories(named, options, io)
  const { dir, table, spell } = collected(named, args, options, io)
  if (table.rows.length === 0) {
    io.stderr.write(`no runs in ${dir} yet: nothing was written\n`)
    return 1
  }
  const format = options.format ?? (options.outCsv?.endsWith('.jsonl') ? 'jsonl' : 'csv')
  if (format !== 'csv' && format !== 'jsonl')
    throw new AssayError('usage', `collect writes csv or jsonl, not ${format}`, {
      hint: `assay ${format === 'parquet' || format === 'otlp' ? 'export' : 'report'} --format ${format}`,
    })
  const text = format === 'csv' ? csvText(table, spell) : jsonlText(table)
  if (options.outCsv === '-') {
    io.stdout.write(text)
    return 0
  }
  const file = options.outCsv === undefined ? join(dir, 'aggregate', `runs.${format}`) : namedFile(options.outCsv, io)
  writeWhole(file, text)
  if (options.json) writeJson(io.stdout, { kind: 'collect', file, rows: table.rows.length, columns: table.columns })
  else io.stdout.write(`wrote: ${file} rows=${table.rows.length}\n`)
  return 0
}

/** The runs of an experiment, or those that another program made and that are in no journal. */
function collected(
  named: string | undefined,
  args: readonly string[],
  options: Options,
  io: Io,
): { readonly dir: string; readonly table: Table; readonly spell: Spell } {
  const place = named ?? options.expDir
  const folder = place === undefined ? undefined : resolve(io.cwd, place)
  const originals = folder === undefined ? null : originalRunsIn(folder)
  if (folder !== undefined && originals !== null) return { dir: folder, table: originals, spell: asWritten }
  const dir = experimentDirArgument(args, options, io)
  return withJournal(dir, journal => {
    const row = readExperiment(journal)
    if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
    const experiment = definitionOf(journal, row)
    return {
      dir,
      table: runsTable(experiment, dir, recordedRuns(journal, { scope: 'ever_planned', attempts: true })),
      spell: (column, value) => cellText(experiment, column, value),
    }
  })
}

/** For trajectories of other programs, the table of instances is collected. */
function collectTrajectories(named: string, options: Options, io: Io): number {
  if (options.format !== undefined && options.format !== 'csv')
    throw new AssayError('usage', `trajectories are collected as csv, not ${options.format}`, {
      hint: `assay parse ${named} --json`,
    })
  const { instances, broken } = parseFolder(resolve(io.cwd, named))
  for (const { file, reason } of broken) io.stderr.write(`${join(named, file)} ${reason}: left out\n`)
  if (instances.length === 0) {
    io.stderr.write(`no trajectories in ${named}: nothing was written\n`)
    return 1
  }
  const lines = instancesCsv(instances)
  if (options.outCsv === '-') {
    for (const line of lines) io.stdout.write(line)
    return 0
  }
  const file =
    options.outCsv === undefined ? join(resolve(io.cwd, named), 'instances.csv') : namedFile(options.outCsv, io)
  writeWhole(file, lines)
  if (options.json) writeJson(io.stdout, { kind: 'collect', file, rows: instances.length, columns: instanceColumns })
  else io.stdout.write(`wrote: ${file} rows=${instances.length}\n`)
  return 0
}
