import { join } from 'node:path'
import { otlpOf, readTrace, type TraceText } from '../../../models/trace/read-trace.ts'
import { definitionOf, readExperiment } from '../../../record/journal/experiment-row.ts'
import type { Journal } from '../../../record/journal/journal.ts'
import { runFolder } from '../../../record/places.ts'
import { recordedRuns } from '../../../record/read/observations.ts'
import {
  cellText,
  csvText,
  jsonlText,
  parquetOf,
  runsTable,
  type Spell,
  seriesTable,
  type Table,
} from '../../../report/tables.ts'
import { AssayError } from '../../../util/errors.ts'
import { readRegular, writeWhole } from '../../../util/files.ts'
import { experimentDirArgument } from '../../experiment/experiment-dir-argument.ts'
import { withJournal } from '../../experiment/with-journal.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'

type What = NonNullable<Options['what']>
type Format = NonNullable<Options['format']>

export async function exportCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const dir = experimentDirArgument(args, options, io)
  const { what, format } = chosen(options)
  const { content: made, rows, problems = [] } = withJournal(dir, journal => exported(journal, dir, what, format))
  const content = await made
  if (rows === 0) {
    io.stderr.write(`there are no ${what} in ${dir}: nothing was written\n`)
    return 1
  }
  writeLines(io.stderr, shortList(problems))
  if (options.output === '-' && !(content instanceof Uint8Array)) {
    for (const piece of typeof content === 'string' ? [content] : content) io.stdout.write(piece)
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

const shortList = (problems: readonly string[]): readonly string[] =>
  problems.length <= 10 ? problems : [...problems.slice(0, 9), `… and ${problems.length - 9} more`]

/** Missing options follow from the others: from the file's ending, and because only traces are written as OTLP. */
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
  /** In pieces if the whole may be too long for one string. */
  readonly content: string | Promise<Uint8Array> | Iterable<string>
  readonly rows: number
  /** What is incomplete, and why. */
  readonly problems?: readonly string[]
}

function exported(journal: Journal, dir: string, what: What, format: Format): Exported {
  const row = readExperiment(journal)
  if (row === undefined) throw new AssayError('not_found', `nothing has been run in ${dir} yet`)
  const experiment = definitionOf(journal, row)
  switch (what) {
    case 'traces':
      return tracesIn(
        dir,
        Array.from(recordedRuns(journal, { scope: 'ever_planned', metrics: false }), ({ name }) => name),
        experiment.name,
        format,
      )
    case 'series':
      return written(seriesTable(journal), format, (_, value) => (value === null ? '' : String(value)))
    case 'runs':
      return written(
        runsTable(experiment, dir, recordedRuns(journal, { scope: 'ever_planned', attempts: true })),
        format,
        (column, value) => cellText(experiment, column, value),
      )
  }
}

function written(table: Table, format: Format, spell: Spell): Exported {
  const content = format === 'parquet' ? parquetOf(table) : format === 'csv' ? csvText(table, spell) : jsonlText(table)
  return { content, rows: table.rows.length }
}

/** The traces in the folders of runs; as JSONL one span per line, as OTLP one document. */
function tracesIn(dir: string, runs: readonly string[], experiment: string, format: Format): Exported {
  const problems: string[] = []
  let rows = 0
  for (const { file, text } of traceTexts(dir, runs))
    for (const read of readTrace(text)) {
      if (!('reason' in read)) problems.push(...read.problems.map(problem => `${file}:${read.line}: ${problem}`))
      else if (format === 'otlp') continue
      rows++
    }
  const traces = traceTexts(dir, runs)
  return { content: format === 'otlp' ? otlpOf(traces, experiment) : spanLines(traces), rows, problems }
}

/** One at a time: all of them may not fit into memory. */
function* traceTexts(dir: string, runs: readonly string[]): Generator<TraceText> {
  for (const run of runs) {
    const file = join(runFolder(dir, run), 'trace.jsonl')
    const text = readRegular(file)
    if (text !== null) yield { run, file, text }
  }
}

/** Among the others, a span must say which run it belongs to; the last one may be cut off. */
function* spanLines(traces: Iterable<TraceText>): Generator<string> {
  for (const { run, text } of traces)
    for (const read of readTrace(text)) {
      const about = 'reason' in read ? { cut_off: read.text } : read.whole()
      yield `${JSON.stringify({ run_id: run, ...about })}\n`
    }
}
