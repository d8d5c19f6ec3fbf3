import { join } from 'node:path'
import { dialectNamed } from '../define/dialects/registry.ts'
import type { Evidence } from '../define/observation.ts'
import { asExperimentDirectory, runsFolder } from '../record/places.ts'
import type { Dataset } from './dataset/dataset.ts'
import { type LeftOut, leftOutCharts, sweepFigureIds, sweepFigures } from './figures/sweep-figures.ts'
import { defaultView } from './findings/view.ts'
import { type TextFormat, writeFigures, writeReport } from './formats/write-report.ts'
import { gatherDataset } from './gather/gather-dataset.ts'
import { type ViewAsked, viewAsked } from './view-asked.ts'

export type ReportFormat = TextFormat | 'svg' | 'png'

export interface ReportAsked extends ViewAsked {
  /** Default: html. */
  readonly format?: ReportFormat | undefined
}

/** The destination: under its usual name in a folder, unless a file is named; null: it is only made, not written. */
export interface ReportPlace {
  readonly folder: string
  readonly file?: string | null | undefined
  /** Whether Cascade's pictures are made too; default: if the experiments' dialects ask for them. */
  readonly hasSweepFigures?: boolean
}

export interface MadeReport {
  readonly files: readonly string[]
  /** The answer in one sentence; null: this format has none. */
  readonly headline: string | null
  /** The report, if it was not written. */
  readonly text: string | null
  /** The reader's filters. */
  readonly filter: readonly string[]
  /** Pictures of Cascade's report that these runs have no numbers for, and why. */
  readonly leftOut?: readonly LeftOut[]
}

/** Makes the report of the evidence and writes it. */
export async function makeReport(evidence: Evidence, asked: ReportAsked, place: ReportPlace): Promise<MadeReport> {
  const { format = 'html', filter = [] } = asked
  const { folder, file } = place
  const dataset = gatherDataset(evidence)
  const view = viewAsked(dataset.evidence, defaultView(dataset), asked)
  if (format === 'svg' || format === 'png') {
    const { allFigures } = await import('./figures/figures.ts')
    const target = typeof file === 'string' ? { file } : { folder: join(folder, 'assets') }
    return {
      files: await writeFigures(allFigures(dataset, view), [format], target),
      headline: null,
      text: null,
      filter,
    }
  }
  const report = writeReport(format, dataset, view, {
    file: file === undefined ? join(folder, names[format]) : file,
    runs: runsFolderOf(evidence),
  })
  const { headline } = report
  if (report.file === null) return { files: [], headline, text: report.text, filter }
  const further = place.hasSweepFigures ? sweepFigureIds : figuresOfDialects(dataset)
  if (format !== 'html' || further.length === 0) return { files: [report.file], headline, text: null, filter }
  const assets = await sweepAssets(evidence, further, folder)
  const leftOut = leftOutCharts(evidence, further)
  return { files: [report.file, ...assets], headline, text: null, filter, leftOut }
}

const names: Readonly<Record<TextFormat, string>> = {
  html: 'index.html',
  md: 'report.md',
  comment: 'comment.md',
  json: 'report.json',
  csv: 'comparisons.csv',
  junit: 'junit.xml',
}

function runsFolderOf({ sources }: Evidence): string | null {
  const [only] = sources
  const dir = only !== undefined && sources.length === 1 ? asExperimentDirectory(only.path) : undefined
  return dir === undefined ? null : runsFolder(dir)
}

const figuresOfDialects = ({ experiments }: Dataset): readonly string[] =>
  experiments.flatMap(({ dialect }) => (dialect === null ? [] : (dialectNamed(dialect).figures ?? [])))

/** The pictures of Cascade's report, under its names; a program without its metrics has none. */
async function sweepAssets(evidence: Evidence, wanted: readonly string[], folder: string): Promise<readonly string[]> {
  const figures = sweepFigures(evidence, wanted)
  return figures.length === 0 ? [] : writeFigures(figures, ['svg', 'png'], { folder: join(folder, 'assets') })
}

/** As printed by `--json`. */
export const reportAnswer = ({ files, headline, filter, leftOut }: MadeReport) => ({
  kind: 'report' as const,
  headline,
  filter,
  files,
  ...(leftOut && { left_out: leftOut }),
})
