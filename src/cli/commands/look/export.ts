import { join } from 'node:path'
import { otlpOf } from '../../../models/trace/otlp.ts'
import { definitionOf, readExperiment } from '../../../record/journal/experiment-row.ts'
import type { Journal } from '../../../record/journal/journal.ts'
import { recordedRuns } from '../../../record/read/observations.ts'
import { parquetOf } from '../../../report/tables/parquet.ts'
import { cellText, csvText, jsonlText, runsTable, type Spell, seriesTable, type Table } from '../../../report/tables.ts'
import { AssayError } from '../../../util/errors.ts'
import { readRegular, writeWhole } from '../../../util/files.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'

type What = NonNullable<Options['what']>
type Format = NonNullable<Options['format']>

export async function exportCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = experimentDirArgument(args, options, io)
  const { what, format } = chosen(options)
  const { content, rows } = withJournal(dir, journal => exported(journal, dir, what, format))
  if (rows === 0) {
    io.stderr.write(`there are no ${what} in ${dir}: nothing was written\n`)
    return 1
  }
  if (options.output === '-' && typeof content === 'string') {
    io.stdout.write(content)
    return 0
  }
  const file =
    options.output === undefined
      ? join(dir, 'export', `${what}.${format === 'otlp' ? 'otlp.json' : format}`)
      : namedFile(options.output, io)
  writeWhole(file, content)
  if (options.json) writeJson(io.stdout, { kind: 'export', what, format, file, rows })
  else io.stdout.write(`wrote: ${file} rows=${rows}\n`)
  return 0
}

/** What is not said follows from the rest: the file's ending, and that only traces are written as OTLP. */
function chosen({ what, format, output }: Options): { readonly what: What; readonly format: Format } {
  const ending = endings.find(known => output?.endsWith(`.${known}`))
  const wanted = format ?? (what === 'traces' ? 'otlp' : (ending ?? 'parquet'))
  const of = what ?? (wanted === 'otlp' ? 'traces' : 'runs')
  const known = of === 'traces' ? traceFormats : tableFormats
  if (!known.some(one => one === wanted))
    throw new AssayError('usage', `${of} are written as ${known.join(', ')}, not as ${wanted}`)
  if (wanted === 'parquet' && output === '-')
    throw new AssayError('usage', 'a Parquet file is not text: name a file with --output')
  return { what: of, format: wanted }
}

const endings = ['parquet', 'jsonl', 'csv'] as const
const tableFormats = ['csv', 'jsonl', 'parquet'] as const
const traceFormats = ['otlp', 'jsonl'] as const

interface Exported {
  readonly content: string | Uint8Array
  readonly rows: number
}

function exported(journal: Journal, dir: string, what: What, format: Format): Exported {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const experiment = definitionOf(journal, row)
  const runs = [...recordedRuns(journal, { everPlanned: true })]
  switch (what) {
    case 'traces':
      return tracesIn(
        dir,
        runs.map(({ run }) => run.name),
        experiment.name,
        format,
      )
    case 'series':
      return written(seriesTable(journal), format, (_, value) => (value === null ? '' : String(value)))
    case 'runs':
      return written(runsTable(experiment, dir, runs), format, (column, value) => cellText(experiment, column, value))
  }
}

function written(table: Table, format: Format, spell: Spell): Exported {
  const content = format === 'parquet' ? parquetOf(table) : format === 'csv' ? csvText(table, spell) : jsonlText(table)
  return { content, rows: table.rows.length }
}

/** The traces that runs left in their folders; as JSONL one span a line, as OTLP one document. */
function tracesIn(dir: string, runs: readonly string[], experiment: string, format: Format): Exported {
  const traces = runs
    .map(run => ({ run, file: join(dir, 'runs', run, 'trace.jsonl') }))
    .flatMap(({ run, file }) => {
      const text = readRegular(file)
      return text === null ? [] : [{ run, file, text }]
    })
  const spans = traces.map(({ text }) => text.split('\n').filter(line => line.trim() !== ''))
  const content =
    format === 'otlp'
      ? `${JSON.stringify(otlpOf(traces, experiment))}\n`
      : spans.flatMap((lines, index) => lines.map(line => `${withRun(line, traces[index]?.run ?? '')}\n`)).join('')
  return { content, rows: spans.reduce((sum, lines) => sum + lines.length, 0) }
}

/** Beside the others, a span must say whose it is; the last may be cut off. */
function withRun(line: string, run: string): string {
  try {
    return JSON.stringify({ run_id: run, ...JSON.parse(line) })
  } catch {
    return JSON.stringify({ run_id: run, cut_off: line })
  }
}
