import { dirname, join, relative } from 'node:path'
import { stacked } from '../../charts/draw-chart.ts'
import { AssayError } from '../../util/errors.ts'
import { writeWhole } from '../../util/files.ts'
import { shortened, slugOf } from '../../util/words.ts'
import type { Dataset } from '../dataset/dataset.ts'
import type { Figure } from '../figures/figure.ts'
import type { View } from '../findings/view.ts'
import { htmlPage } from '../page/html-page.ts'
import { chartDocument, writePicture } from '../pictures/write-picture.ts'
import { reportComment } from './markdown/report-comment.ts'
import { reportMarkdown } from './markdown/report-markdown.ts'
import { reportCsv } from './report-csv.ts'
import { reportJson } from './report-json.ts'
import { reportJunit } from './report-junit.ts'

export type TextFormat = 'html' | 'md' | 'comment' | 'json' | 'csv' | 'junit'

interface WrittenReport {
  readonly text: string
  /** null: it was not written. */
  readonly file: string | null
  /** The answer in one sentence; null: this format has none. */
  readonly headline: string | null
}

/** Makes the report and writes it, completely or not at all. */
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
    case 'comment':
      return { text: reportComment(dataset, view), headline: null }
    case 'json':
      return { text: reportJson(dataset, view), headline: null }
    case 'csv':
      return { text: reportCsv(dataset, view), headline: null }
    case 'junit':
      return { text: reportJunit(dataset), headline: null }
  }
}

type Place = { readonly folder: string } | { readonly file: string }

/**
 * Each figure as a separate picture in a folder, or all of them one below the other in one file. Returns the files'
 * names.
 */
export async function writeFigures(
  figures: readonly Figure[],
  endings: readonly ('svg' | 'png')[],
  place: Place,
): Promise<readonly string[]> {
  const document = chartDocument()
  const drawn = figures.flatMap(({ id, draw }) => (draw === null ? [] : [{ id, svg: draw({ document }) }]))
  if (drawn.length === 0) throw new AssayError('usage', 'there is nothing to draw: no run has a result')
  if ('file' in place) {
    await writePicture(place.file, stacked(drawn.map(({ svg }) => svg)))
    return [place.file]
  }
  const names = fileNames(drawn.map(({ id }) => id))
  const files = drawn.flatMap(({ svg }, at) =>
    endings.map(ending => ({ file: join(place.folder, `${names[at]}.${ending}`), svg })),
  )
  for (const { file, svg } of files) await writePicture(file, svg)
  return files.map(({ file }) => file)
}

const longestName = 120

/** Variants and series may have any names: as file names, these need not be unique. */
function fileNames(ids: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return ids.map(id => {
    const name = shortened(slugOf(id), longestName)
    // Some file systems do not distinguish `A` and `a`.
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1
    seen.set(name.toLowerCase(), count)
    return count === 1 ? name : `${name}-${count}`
  })
}
