import { join, relative } from 'node:path'
import { scoresOf, taskScoresOf } from '../../analyze/scores/scores.ts'
import { writeWhole } from '../../util/files.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { datasetMetricsOf } from './dataset-metrics.ts'
import { readSeries, type SeriesRun } from './read-series.ts'
import { summaryMarkdown, summaryText } from './summary-text.ts'

/** The scores of one series, also as `summary.md` in it. */
export async function printSeries(dir: string, options: Options, io: Io): Promise<void> {
  const runs = readSeries(dir)
  const datasets = await datasetMetricsOf(dir, runs, io.cwd)
  const file = join(dir, 'summary.md')
  writeWhole(file, summaryMarkdown(dir, runs, datasets))
  if (options.json) {
    writeJson(io.stdout, { kind: 'scores', ...factsOf(dir, runs), ...(datasets.length > 0 && { datasets }) })
    return
  }
  const shown = relative(io.cwd, dir)
  const place = shown === '' || shown.startsWith('..') ? dir : shown
  const written = `[rollouts] summary.md written: ${join(place, 'summary.md')}`
  writeLines(io.stdout, [...summaryText(place, runs, datasets), written])
}

const factsOf = (dir: string, runs: readonly SeriesRun[]) => ({
  dir,
  scores: scoresOf(runs),
  tasks: taskScoresOf(runs),
  runs,
})
