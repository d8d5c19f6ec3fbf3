import { join, relative, resolve } from 'node:path'
import type { Evidence } from '../../../define/observation.ts'
import { originalRunsIn } from '../../../record/evidence/evidence.ts'
import { asExperimentDirectory } from '../../../record/places.ts'
import { type MadeReport, makeReport, reportAnswer } from '../../../report/make-report.ts'
import { AssayError } from '../../../util/errors.ts'
import { evidenceArgument } from '../../analysis/evidence-argument.ts'
import { sweepTable } from '../../analysis/sweep-table.ts'
import { type Io, tableWidth, writeJson, writeLines } from '../../io.ts'
import { namedFile } from '../../named-file.ts'
import type { Options } from '../../options.ts'
import { styler } from '../../views/style.ts'
import { wrapped } from '../../views/text-width.ts'

export async function reportCommand(args: readonly string[], options: Options, io: Io): Promise<number> {
  const { format = 'html', output, filter = [] } = options
  if (format === 'jsonl' || format === 'parquet' || format === 'otlp')
    throw new AssayError('usage', `report does not write ${format}`, { hint: `assay export --format ${format}` })
  // The reader can change one filter; several can't be written as one.
  const whole = filter.length < 2 ? { ...options, filter: [] } : options
  const evidence =
    options.runsCsv === undefined
      ? evidenceArgument(args, whole, io, { series: 'all', attempts: true })
      : sweepTable(resolve(io.cwd, options.runsCsv), options)
  const isPrinted = output === '-' && format !== 'svg' && format !== 'png'
  const report = await makeReport(
    evidence,
    { ...options, format },
    {
      folder: folderFor(args, evidence, options, io),
      file: isPrinted ? null : output === undefined ? undefined : namedFile(output, io),
      hasSweepFigures: options.runsCsv !== undefined || isOfOriginals(evidence),
    },
  )
  if (report.text !== null) io.stdout.write(report.text)
  else tell(report, options, io)
  return 0
}

/** In the experiment's own directory; null for results from several places, or from a table. */
function folderFor(args: readonly string[], { sources }: Evidence, options: Options, { cwd }: Io): string {
  const { outDir, expDir } = options
  if (outDir !== undefined) return resolve(cwd, outDir)
  const [only] = sources
  const named = options.runsCsv === undefined ? only?.path : (args[0] ?? expDir)
  const isOne = options.runsCsv !== undefined || sources.length === 1
  const dir = named !== undefined && isOne ? placeOf(resolve(cwd, named)) : undefined
  return join(dir ?? resolve(cwd, options.runsCsv === undefined ? '.' : (named ?? '.')), 'report')
}

/** The directory of an experiment, whichever program executed its runs. */
const placeOf = (path: string): string | undefined =>
  asExperimentDirectory(path) ?? (originalRunsIn(path) === null ? undefined : path)

const isOfOriginals = ({ sources: [only, ...others] }: Evidence): boolean =>
  only !== undefined && others.length === 0 && only.kind === 'table' && originalRunsIn(only.path) !== null

function tell(report: MadeReport, options: Options, io: Io): void {
  const { files, headline, filter, leftOut = [] } = report
  if (options.json) writeJson(io.stdout, reportAnswer(report))
  else
    writeLines(io.stdout, [
      ...(headline === null ? [] : wrapped(headline, tableWidth(io.stdout)).map(styler(io.stdout).bold)),
      ...filter.map(text => `only ${text}`),
      ...files.map(file => `wrote: ${relative(io.cwd, file) || file}`),
      ...leftOut.map(({ chart, reason }) => `left out: ${chart}: ${reason}`),
    ])
}
