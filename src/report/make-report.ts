import { join } from 'node:path'
import type { Evidence } from '../plan/evidence.ts'
import { asExperimentDirectory } from '../record/directory/experiment-directory.ts'
import type { Dataset } from './dataset/dataset.ts'
import { defaultView } from './findings/view.ts'
import { type TextFormat, writeFigures, writeReport } from './formats/write-report.ts'
import { gatherDataset } from './gather/gather-dataset.ts'
import { type LeftOut, leftOutCharts, sweepFigures } from './sweep/sweep-figures.ts'
import { type ViewAsked, viewAsked } from './view-asked.ts'

export type ReportFormat = TextFormat | 'svg' | 'png'

export interface ReportAsked extends ViewAsked {
  /** Default: html. */
  readonly format?: ReportFormat | undefined
}

/** Where it goes: under its usual name into a folder, unless a file is named; null: it is not written, only made. */
export interface ReportPlace {
  readonly folder: string
  readonly file?: string | null | undefined
  /** Whether the pictures of the matrix sweep runner are drawn too; default: for its experiments. */
  readonly isSweep?: boolean
}

export interface MadeReport {
  readonly files: readonly string[]
  /** The answer in one sentence; null: this format has none. */
  readonly headline: string | null
  /** What was made, if it was not written. */
  readonly text: string | null
  /** What the report of the matrix sweep runner has besides, and why this one doesn't. */
  readonly leftOut?: readonly LeftOut[]
}

/** Makes the report of the evidence and writes it. */
export async function makeReport(evidence: Evidence, asked: ReportAsked, place: ReportPlace): Promise<MadeReport> {
  const { format = 'html' } = asked
  const { folder, file } = place
  const dataset = gatherDataset(evidence)
  const view = viewAsked(dataset.evidence, defaultView(dataset), asked)
  if (format === 'svg' || format === 'png') {
    const { allFigures } = await import('./figures/all-figures.ts')
    const target = typeof file === 'string' ? { file } : { folder: join(folder, 'assets') }
    return { files: await writeFigures(allFigures(dataset, view), [format], target), headline: null, text: null }
  }
  const report = writeReport(format, dataset, view, {
    file: file === undefined ? join(folder, names[format]) : file,
    runs: runsFolder(evidence),
  })
  const { headline } = report
  if (report.file === null) return { files: [], headline, text: report.text }
  if (format !== 'html' || !(place.isSweep ?? isOfSweep(dataset))) return { files: [report.file], headline, text: null }
  const assets = await sweepAssets(evidence, folder)
  return { files: [report.file, ...assets], headline, text: null, leftOut: leftOutCharts(evidence) }
}

const names: Readonly<Record<TextFormat, string>> = {
  html: 'index.html',
  md: 'report.md',
  json: 'report.json',
  csv: 'comparisons.csv',
  junit: 'junit.xml',
}

function runsFolder({ sources }: Evidence): string | null {
  const [only] = sources
  const dir = only !== undefined && sources.length === 1 ? asExperimentDirectory(only.path) : undefined
  return dir === undefined ? null : join(dir, 'runs')
}

const isOfSweep = ({ experiments }: Dataset): boolean => experiments.some(({ dialect }) => dialect === 'matrix-json')

/** The pictures that the matrix sweep runner's report has, under its names; a program without its metrics has none. */
async function sweepAssets(evidence: Evidence, folder: string): Promise<readonly string[]> {
  const figures = sweepFigures(evidence)
  return figures.length === 0 ? [] : writeFigures(figures, ['svg', 'png'], { folder: join(folder, 'assets') })
}

/** As `--json` prints it. */
export const reportAnswer = ({ files, headline, leftOut }: MadeReport) => ({
  kind: 'report' as const,
  headline,
  files,
  ...(leftOut && { left_out: leftOut }),
})
