import type { Experiment } from '../../define/experiment.ts'
import type { Summary } from '../../define/outcome.ts'
import { readExperiment } from '../../record/journal/experiment-row.ts'
import { resultText } from '../../report/findings/search.ts'
import type { Io } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'
import { bestSoFarIn, paramsText } from './found-best.ts'
import { nameFor } from './short-id.ts'
import { withJournal } from './with-journal.ts'

/** With more results than this, only `sweep best` reads them. */
const mostRead = 20_000

/** What a search has found when a call ends, and the line that says more; nothing where there is no search. */
export function bestAtEnd(experiment: Experiment, dir: string, summary: Summary, options: Options, io: Io): string[] {
  if (experiment.search === undefined || summary.completed === 0) return []
  const id = withJournal(dir, readExperiment)?.short_id ?? ''
  const line = `  more, and what it is worth: assay sweep best ${nameFor({ id, dir }, options, io)}`
  const ranked = summary.completed > mostRead ? null : bestSoFarIn(dir, experiment)
  const [best] = ranked?.best ?? []
  if (ranked === null || best === undefined) return summary.completed > mostRead ? [line.trimStart()] : []
  return [
    `best of ${ranked.compared}: ${styler(io.stdout).bold(resultText(best, ranked))}`,
    ...(ranked.varying.length === 0 ? [] : [`  ${paramsText(best.varied)}`]),
    line,
    '',
  ]
}
