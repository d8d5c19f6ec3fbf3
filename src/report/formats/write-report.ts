import { dirname, relative } from 'node:path'
import { writeWhole } from '../../util/write-whole.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { View } from '../findings/view.ts'
import { htmlPage } from '../page/html-page.ts'
import { reportMarkdown } from './markdown/report-markdown.ts'
import { reportCsv } from './report-csv.ts'
import { reportJson } from './report-json.ts'
import { reportJunit } from './report-junit.ts'

export type TextFormat = 'html' | 'md' | 'json' | 'csv' | 'junit'

export interface WrittenReport {
  readonly text: string
  /** null: it was not to be written. */
  readonly file: string | null
  /** The answer in one sentence; null: this format has none. */
  readonly headline: string | null
}

/** Makes the report and writes it: all of it or nothing. */
export function writeReport(
  format: TextFormat,
  dataset: Dataset,
  view: View,
  { file, runs }: { readonly file: string | null; readonly runs: string | null },
): WrittenReport {
  const runsFolder = file === null || runs === null ? null : relative(dirname(file), runs)
  const made = textOf(format, dataset, view, runsFolder)
  if (file !== null) writeWhole(file, made.text)
  return { ...made, file }
}

function textOf(
  format: TextFormat,
  dataset: Dataset,
  view: View,
  runsFolder: string | null,
): Pick<WrittenReport, 'text' | 'headline'> {
  switch (format) {
    case 'html': {
      const { html, headline } = htmlPage(dataset, view, { runsFolder })
      return { text: html, headline }
    }
    case 'md':
      return { text: reportMarkdown(dataset, view), headline: null }
    case 'json':
      return { text: reportJson(dataset, view), headline: null }
    case 'csv':
      return { text: reportCsv(dataset, view), headline: null }
    case 'junit':
      return { text: reportJunit(dataset), headline: null }
  }
}
