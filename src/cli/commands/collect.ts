import { renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Experiment } from '../../define/experiment.ts'
import { definitionOf, readExperiment } from '../../record/journal/experiment-row.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { cellText, type RunsTable, runsTable } from '../../report/runs-table.ts'
import { csvLine } from '../../util/csv.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { makeFolders } from '../../util/make-folders.ts'
import { experimentDirArgument } from '../experiment/experiment-dir-argument.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, writeJson } from '../io.ts'
import type { Options } from '../options.ts'

export async function collectCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = experimentDirArgument(args, options, io)
  const { experiment, table } = withJournal(dir, journal => {
    const row = readExperiment(journal)
    if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
    const experiment = definitionOf(row)
    return { experiment, table: runsTable(experiment, dir, recordedRuns(journal, { everPlanned: true })) }
  })
  if (table.rows.length === 0) {
    io.stderr.write(`no runs in ${dir} yet: nothing was written\n`)
    return 1
  }
  const format = options.format ?? (options.outCsv?.endsWith('.jsonl') ? 'jsonl' : 'csv')
  if (format !== 'csv' && format !== 'jsonl')
    throw new AssayError('usage', `collect writes csv or jsonl, not ${format}`, {
      hint: `assay report --format ${format}`,
    })
  const text = format === 'csv' ? csvText(experiment, table) : jsonlText(table)
  if (options.outCsv === '-') {
    io.stdout.write(text)
    return 0
  }
  const file = options.outCsv === undefined ? join(dir, 'aggregate', `runs.${format}`) : resolve(io.cwd, options.outCsv)
  writeWhole(file, text)
  if (options.json) writeJson(io.stdout, { kind: 'collect', file, rows: table.rows.length, columns: table.columns })
  else io.stdout.write(`wrote: ${file} rows=${table.rows.length}\n`)
  return 0
}

function csvText(experiment: Experiment, { columns, rows }: RunsTable): string {
  const lines = rows.map(row => csvLine(columns.map(column => cellText(experiment, column, row[column]))))
  return csvLine(columns) + lines.join('')
}

function jsonlText({ columns, rows }: RunsTable): string {
  return rows
    .map(row => `${JSON.stringify(Object.fromEntries(columns.map(column => [column, row[column] ?? null])))}\n`)
    .join('')
}

/** All of it or nothing: a table that is read while it is written would look shorter than it is. */
function writeWhole(file: string, text: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory())
    throw new AssayError('cannot_write', `can't write ${file}: it is a folder`, { hint: 'name a file in it' })
  try {
    makeFolders(dirname(file))
    writeFileSync(`${file}.tmp`, text)
    renameSync(`${file}.tmp`, file)
  } catch (error) {
    throw new AssayError('cannot_write', `can't write ${file}: ${messageOf(error)}`, { cause: error })
  }
}
