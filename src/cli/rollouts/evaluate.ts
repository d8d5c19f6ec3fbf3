import { join } from 'node:path'
import type { Listener } from '../../engine/call.ts'
import { runExperiment } from '../../engine/run-experiment.ts'
import { openExecutor } from '../../execute/registry.ts'
import type { PlannerOptions } from '../../plan/planner.ts'
import { planOptionsOf, readExperiment } from '../../record/journal/experiment-row.ts'
import { runFolder } from '../../record/places.ts'
import { folderOf, recordedRuns } from '../../record/read/observations.ts'
import { layoutListener, rolloutPlaces } from '../../report/layouts/layouts.ts'
import { AssayError } from '../../util/errors.ts'
import { type Chosen, explicitLimits } from '../experiment/choose-experiment.ts'
import { executorNamed, executorOptions } from '../experiment/executor-options.ts'
import { surroundingsOf } from '../experiment/surroundings.ts'
import { withJournal } from '../experiment/with-journal.ts'
import { type Io, writeLines } from '../io.ts'
import type { Options } from '../options.ts'
import { oneLine } from '../views/text-width.ts'
import { printSeries } from './print-series.ts'

/** Scores the finished runs of an experiment again, with the engine that made them, and shows the scores. */
export async function evaluate(chosen: Chosen, options: Options, io: Io): Promise<number> {
  const { experiment, dir } = chosen
  refuseWithoutLeftovers(chosen)
  const counts = { ok: 0, failed: 0 }
  const places = rolloutPlaces(dir, experiment.name)
  const listener: Listener = event => {
    if (event.kind === 'notice' && event.level === 'warning') io.stderr.write(`[eval] warning: ${event.message}\n`)
    if (event.kind !== 'attempt_ended' || event.retry_in_ms !== null) return
    const isOk = event.outcome.kind === 'completed'
    counts[isOk ? 'ok' : 'failed']++
    const place = places === null ? runFolder(dir, event.run) : join(places.runs, event.run)
    const why = isOk || event.outcome.message === undefined ? '' : `: ${oneLine(event.outcome.message)}`
    if (!options.json && !options.quiet)
      writeLines(io.stdout, [`[eval] ${place} -> ${isOk ? 'ok' : 'eval_failed'}${why}`])
  }
  const end = await runExperiment(
    {
      ...chosen,
      plan: planMade(dir) ?? chosen.plan,
      mode: 'score',
      executor: await openExecutor(executorNamed(options, io), chosen, executorOptions(experiment, options, io)),
      explicitLimits: explicitLimits(options),
      ...{ retryFailed: false, rerun: [], fresh: false, stale: null, failFast: false, tags: [], note: null },
    },
    surroundingsOf(io, layoutListener(experiment.dialect, dir), listener),
  )
  const isNothing = counts.ok + counts.failed === 0
  if (isNothing) io.stderr.write('[eval] nothing was scored: no finished run has left files\n')
  else if (!options.json && !options.quiet)
    writeLines(io.stdout, [`[eval] manifest: ${join(dir, 'eval_manifest.json')}`, ''])
  await printSeries(dir, options, io)
  if (end.exitCode === 130) return 130
  return counts.failed > 0 || isNothing ? 1 : 0
}

/** A score that can't be computed again must not replace the existing one. */
function refuseWithoutLeftovers({ dir, target: { leftovers } }: Chosen): void {
  const gone = withJournal(dir, journal =>
    [...recordedRuns(journal)].filter(run => {
      const folder = folderOf(run, dir)
      return folder !== null && leftovers?.areGone(folder) === true
    }),
  )
  const [first] = gone
  if (first === undefined) return
  const which = gone.length === 1 ? first.name : `${first.name} and ${gone.length - 1} more`
  throw new AssayError('usage', `what the agent left in the boxes of ${which} is gone: it can't be scored again`, {
    hint: '`assay cache prune --boxes` deletes it. `assay run --rerun <run>` makes a run anew, `--fresh` all of them.',
  })
}

/** The plan that the runs were made with: scoring must not replace it, because then the series would look unfinished. */
const planMade = (dir: string): PlannerOptions | undefined =>
  withJournal(dir, journal => {
    const row = readExperiment(journal)
    return row && planOptionsOf(journal, row)
  })
