import { relative } from 'node:path'
import { resultText } from '../../analyze/search/trials.ts'
import type { Experiment } from '../../define/experiment.ts'
import type { Summary } from '../../define/outcome.ts'
import { readExperiment } from '../../record/journal/experiment-row.ts'
import { hasMetrics } from '../../record/read/activity.ts'
import { shellQuote } from '../../util/words.ts'
import { nameFor } from '../experiment/short-id.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, tableWidth } from '../io.ts'
import type { Options } from '../options.ts'
import { styler } from '../views/style.ts'
import { wrapped } from '../views/text-width.ts'
import { bestSoFarIn, paramsText } from './found-best.ts'

/** With more results than this, only the commands that are suggested here read them. */
const mostRead = 20_000

/** The conclusion at the end of a call, as in the report, and the two commands that show more; nothing without a result. */
export async function verdictAtEnd(
  experiment: Experiment,
  { dir, completed }: Summary,
  options: Options,
  io: Io,
): Promise<string[]> {
  if (completed === 0 || !withJournal(dir, hasMetrics)) return []
  const isTooMany = completed > mostRead
  if (experiment.search !== undefined) return foundLines(experiment, dir, isTooMany, options, io)
  const place = placeOf(dir, io)
  if (isTooMany) return furtherCommands('compare', place, place)
  const { liveHeadline } = await import('../../report/live.ts')
  const { headline, kind, levels, branches } = liveHeadline(dir, { read: withJournal, shown: () => null })
  if (kind === 'none' && branches === null) return []
  const width = tableWidth(io.stdout)
  const indented = (line: string): readonly string[] => wrapped(line, width, '  ')
  return [
    ...wrapped(headline, width).map(styler(io.stdout).bold),
    ...levels.flatMap(indented),
    ...(branches === null
      ? []
      : [...wrapped(`Branches alone: ${branches.headline}`, width), ...branches.levels.flatMap(indented)]),
    ...furtherCommands(kind === 'compared' ? 'compare' : 'variance', place, place),
  ]
}

function foundLines(experiment: Experiment, dir: string, isTooMany: boolean, options: Options, io: Io): string[] {
  const id = withJournal(dir, readExperiment)?.shortId ?? ''
  const further = furtherCommands('sweep best', nameFor({ id, dir }, options, io), placeOf(dir, io))
  const ranked = isTooMany ? null : bestSoFarIn(dir, experiment)
  const [best] = ranked?.best ?? []
  if (ranked === null || best === undefined) return isTooMany ? further : []
  return [
    `best of ${ranked.compared}: ${styler(io.stdout).bold(resultText(best, ranked))}`,
    ...(ranked.varying.length === 0 ? [] : [`  ${paramsText(best.varied)}`]),
    ...further,
  ]
}

const furtherCommands = (command: string, name: string, place: string): string[] => [
  `  assay ${command} ${name}`,
  `  assay report ${place}`,
]

/** An experiment's directory as a word on a command line typed here. */
export function placeOf(dir: string, { cwd }: Io): string {
  const near = relative(cwd, dir)
  return shellQuote(near === '' ? '.' : near.startsWith('..') ? dir : near)
}
