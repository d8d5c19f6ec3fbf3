import type { DialectName } from '../../define/dialects/registry.ts'
import type { Listener } from '../../engine/call.ts'
import { loggedEvents, readDefinition } from '../../record/journal/experiment-row.ts'
import { Journal } from '../../record/journal/journal.ts'
import { journalFile } from '../../record/places.ts'
import { lastStop } from '../../record/read/activity.ts'
import { recordedRuns } from '../../record/read/observations.ts'
import { standing } from '../../record/read/standing.ts'
import { AssayError, messageOf } from '../../util/errors.ts'
import { agentSweepLayout } from './agent-sweep.ts'
import type { Layout } from './layout.ts'
import { matrixJsonLayout } from './matrix-json.ts'
import { rolloutsLayout } from './rollouts-toml.ts'
import { scenarioBatchLayout } from './scenario-batch.ts'
import { nothingWritten, type Written, writeFiles } from './write-layout.ts'

export { inFileOrder, launchStatus, rolloutPlaces } from './rollout-places.ts'

/** By dialect; the others have no files of their own. */
const layouts: { readonly [name in DialectName]?: Layout } = {
  'matrix-json': matrixJsonLayout,
  'rollouts-toml': rolloutsLayout,
  'scenario-batch': scenarioBatchLayout,
  'wandb-sweep': agentSweepLayout,
}

/** Never more than a twentieth of the time: a projection reads all runs. */
const share = 20

/** The latest complaints of providers: a long experiment has thousands. */
const mostRates = 200

/** Two processes may end at the same moment: see {@link writeLayout}. */
const mostTries = 5

/**
 * Keeps the files of a dialect up to date while an engine works in `dir`. Events only say when to write: at the
 * beginning, with progress (at most once a second) if a run has ended, and at the end. A failure is thrown; the engine
 * reports it to its other listeners and continues.
 */
export function layoutListener(dialect: string, dir: string): Listener {
  const layout = new Map(Object.entries(layouts)).get(dialect)
  return layout === undefined ? () => undefined : writing(layout, dir)
}

/** The same for any layout. */
export function writing(layout: Layout, dir: string, elapsed = () => performance.now()): Listener {
  const written = nothingWritten()
  let isBehind = true
  let next = Number.NEGATIVE_INFINITY
  return event => {
    if (event.kind === 'attempt_ended') isBehind = true
    if (event.kind === 'attempt_started' && layout.showsRunning) isBehind = true
    const isEnd = event.kind === 'summary'
    if (!isEnd && !(event.kind === 'progress' && isBehind && elapsed() >= next)) return
    const begun = elapsed()
    isBehind = false
    try {
      writeLayout(layout, dir, written, isEnd ? mostTries : 1)
    } catch (error) {
      throw new AssayError('cannot_write', `the files of the dialect were not written: ${messageOf(error)}`, {
        cause: error,
      })
    } finally {
      next = elapsed() + share * (elapsed() - begun)
    }
  }
}

/**
 * Writes all files according to the journal. Another process may have written newer ones between our reading and our
 * writing; with more than one try this is noticed, because the journal has changed, and repeated.
 */
function writeLayout(layout: Layout, dir: string, written: Written, tries: number): void {
  const journal = Journal.openToRead(journalFile(dir))
  try {
    for (let left = tries; left > 0; left--) {
      const version = journal.dataVersion()
      const experiment = readDefinition(journal)
      if (experiment === undefined || layout.isFor?.(experiment) === false) return
      const runs = [...recordedRuns(journal, { scope: 'ever_planned', attempts: true })]
      const rates = loggedEvents(journal, mostRates, 'rate_')
      const view = { experiment, dir, summary: standing(journal, dir), runs, rates, stopped_by: lastStop(journal) }
      writeFiles(layout, view, written, tries > 1)
      if (journal.dataVersion() === version) return
    }
  } finally {
    journal.close()
  }
}
