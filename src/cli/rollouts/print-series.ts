import { join, relative } from 'node:path'
import { scoresOf, taskScoresOf } from '../../analyze/scores/scores.ts'
import { writeWhole } from '../../util/files.ts'
import { type Io, writeJson, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { readSeries, type SeriesRun } from './read-series.ts'
import { summaryMarkdown, summaryText } from './summary-text.ts'

/** The scores of one series, also as `summary.md` in it. */
export function printSeries(dir: string, options: Options, io: Io): void {
  const runs = readSeries(dir)
  const file = join(dir, 'summary.md')
  writeWhole(file, summaryMarkdown(dir, runs))
  if (options.json) {
    writeJson(io.stdout, { kind: 'scores', ...factsOf(dir, runs) })
    return
  }
  const shown = relative(io.cwd, dir)
  const place = shown === '' || shown.startsWith('..') ? dir : shown
  writeLines(io.stdout, [...summaryText(place, runs), `[rollouts] summary.md written: ${join(place, 'summary.md')}`])
}

const factsOf = (dir: string, runs: readonly SeriesRun[]) => ({
  dir,
  scores: scoresOf(runs),
  tasks: taskScoresOf(runs),
  runs,
})
