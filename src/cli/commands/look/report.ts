import { join, relative, resolve } from 'node:path'
import { dialectNamed } from '../../../define/dialects/registry.ts'
import type { Evidence } from '../../../plan/evidence.ts'
import { asExperimentDirectory } from '../../../record/directory/experiment-directory.ts'
import type { Dataset } from '../../../report/dataset/dataset.ts'
import { defaultView } from '../../../report/findings/view.ts'
import { type TextFormat, writeFigures, writeReport } from '../../../report/formats/write-report.ts'
import { gatherDataset } from '../../../report/gather/gather-dataset.ts'
import { type LeftOut, leftOutCharts, sweepFigureIds, sweepFigures } from '../../../report/sweep/sweep-figures.ts'
import { AssayError } from '../../../util/errors.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { viewOption } from '../../analysis/report-view.ts'
import { sweepTable } from '../../analysis/sweep-table.ts'
import { type Io, writeJson, writeLines } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'

export async function reportCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { format = 'html', output, filter = [] } = options
  if (format === 'jsonl' || format === 'parquet' || format === 'otlp')
    throw new AssayError('usage', `report does not write ${format}`, { hint: `assay export --format ${format}` })
  // One filter is the reader's to change; several can't be written as one.
  const whole = filter.length < 2 ? { ...options, filter: [] } : options
  const evidence =
    options.runsCsv === undefined
      ? evidenceArgument(args, whole, io, { series: 'all' })
      : sweepTable(resolve(io.cwd, options.runsCsv), options)
  const dataset = gatherDataset(evidence)
  const view = viewOption(dataset.evidence, defaultView(dataset), options)
  const folder = folderFor(args, evidence, options, io)
  if (format === 'svg' || format === 'png') {
    const { allFigures } = await import('../../../report/figures/all-figures.ts')
    const place = output === undefined ? { folder: join(folder, 'assets') } : { file: namedFile(output, io) }
    const files = await writeFigures(allFigures(dataset, view), [format], place)
    return told({ files, headline: null, filter }, options, io)
  }
  const report = writeReport(format, dataset, view, {
    file: output === '-' ? null : output === undefined ? join(folder, names[format]) : namedFile(output, io),
    runs: runsFolder(evidence),
  })
  if (report.file === null) {
    io.stdout.write(report.text)
    return 0
  }
  const { headline, file } = report
  const further = furtherFigures(dataset, options)
  if (format !== 'html' || further.length === 0) return told({ files: [file], headline, filter }, options, io)
  const assets = await sweepAssets(evidence, further, folder)
  return told({ files: [file, ...assets], headline, filter, leftOut: leftOutCharts(evidence, further) }, options, io)
}

const names: Readonly<Record<TextFormat, string>> = {
  html: 'index.html',
  md: 'report.md',
  json: 'report.json',
  csv: 'comparisons.csv',
  junit: 'junit.xml',
}

/** In the experiment's own directory; what comes from several places, or from a table, has none. */
function folderFor(args: readonly string[], { sources }: Evidence, options: Options, { cwd }: Io): string {
  const { outDir, expDir } = options
  if (outDir !== undefined) return resolve(cwd, outDir)
  const [only] = sources
  const named = options.runsCsv === undefined ? only?.path : (args[0] ?? expDir)
  const isOne = options.runsCsv !== undefined || sources.length === 1
  const dir = named !== undefined && isOne ? asExperimentDirectory(resolve(cwd, named)) : undefined
  return join(dir ?? resolve(cwd, options.runsCsv === undefined ? '.' : (named ?? '.')), 'report')
}

function runsFolder({ sources }: Evidence): string | null {
  const [only] = sources
  const dir = only !== undefined && sources.length === 1 ? asExperimentDirectory(only.path) : undefined
  return dir === undefined ? null : join(dir, 'runs')
}

/** Pictures besides the usual ones: those that dialects ask for; a table of runs comes from a sweep runner. */
const furtherFigures = ({ experiments }: Dataset, { runsCsv }: Options): readonly string[] =>
  runsCsv === undefined
    ? experiments.flatMap(({ dialect }) => (dialect === null ? [] : (dialectNamed(dialect).figures ?? [])))
    : sweepFigureIds

/** The pictures that Cascade's report has, under its names; a program without its metrics has none. */
async function sweepAssets(evidence: Evidence, wanted: readonly string[], folder: string): Promise<readonly string[]> {
  const figures = sweepFigures(evidence, wanted)
  return figures.length === 0 ? [] : writeFigures(figures, ['svg', 'png'], { folder: join(folder, 'assets') })
}

interface Written {
  readonly files: readonly string[]
  readonly headline: string | null
  /** What the reader's filters were. */
  readonly filter: readonly string[]
  /** Pictures of Cascade's report that this one has no numbers for, and why. */
  readonly leftOut?: readonly LeftOut[]
}

function told({ files, headline, filter, leftOut }: Written, options: Options, io: Io): number {
  if (options.json)
    writeJson(io.stdout, { kind: 'report', headline, filter, files, ...(leftOut && { left_out: leftOut }) })
  else
    writeLines(io.stdout, [
      ...(headline === null ? [] : [styler(io.stdout).bold(headline)]),
      ...filter.map(text => `only ${text}`),
      ...files.map(file => `wrote: ${relative(io.cwd, file) || file}`),
      ...(leftOut ?? []).map(({ chart, reason }) => `left out: ${chart}: ${reason}`),
    ])
  return 0
}
