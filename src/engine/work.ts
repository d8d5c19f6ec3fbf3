import { knownMetrics } from '../define/observation.ts'
import { exitCodeOf } from '../define/outcome.ts'
import { logEvent } from '../record/journal/experiment-row.ts'
import { whenFree } from '../record/journal/journal.ts'
import { recordProvenance } from '../record/provenance/provenance.ts'
import { metricProblem, passesOf } from '../record/read/activity.ts'
import { messageOf } from '../util/errors.ts'
import type { Surroundings, WorkEnd } from './call.ts'
import { isReached, type Passes } from './call.ts'
import { Loop } from './loop/loop.ts'
import type { LoopSetup } from './loop/loop-setup.ts'
import type { Session } from './session/session.ts'

/** The part of a loop's setup that `run` and `worker` choose differently. */
type Work = Pick<
  LoopSetup,
  'experiment' | 'fingerprint' | 'bound' | 'kind' | 'slots' | 'failFast' | 'count' | 'reused' | 'mode'
> & { readonly requirePass?: number | undefined }

/** The loop with everything around it: provenance, interrupts, the final summary. */
export async function workUntilDone(session: Session, work: Work, around: Surroundings): Promise<WorkEnd> {
  const { journal, dir, workerId, emit } = session
  const { clock, argv, env } = around
  const loop = new Loop({ ...session, ...work, clock })
  const context = { workerId, argv, env, now: clock.now() }
  // Asking git takes longer than a short run: meanwhile the first runs start.
  const provenance = recordProvenance(journal, dir, work.experiment, context).catch(error =>
    emit({ kind: 'notice', level: 'warning', message: `provenance was not recorded: ${messageOf(error)}` }),
  )
  const forget = around.interrupts(interrupt => loop.interrupt(interrupt))
  try {
    const { stoppedBy, interrupted, hasMadeAll } = await loop.run()
    await session.executor.settled?.()
    await provenance
    if (stoppedBy !== null) await whenFree(() => logEvent(journal, 'stopped', { reason: stoppedBy }, clock.now()))
    const summary = loop.summary()
    const unanswered = unansweredBy(session, work)
    if (unanswered !== null) emit({ kind: 'notice', level: 'warning', message: unanswered })
    // A worker reports on its runs, not on the experiment.
    const isRun = work.kind === 'run'
    // A worker that has finished its share has done what was asked, whatever the state of the experiment.
    const passes = passesIn(session, work)
    const isShort = isRun && (unanswered !== null || (passes !== null && !isReached(passes)))
    const exitCode = hasMadeAll && !interrupted ? 0 : exitCodeOf(summary, interrupted, isShort)
    const pass = passes === null ? {} : { pass: passes }
    emit({ kind: 'summary', ...summary, exit_code: exitCode, stopped_by: stoppedBy, ...pass })
    return { summary, exitCode, stoppedBy, passes }
  } finally {
    forget()
    await provenance
  }
}

function passesIn({ journal }: Session, { experiment, requirePass }: Work): Passes | null {
  // Journals from before there was an analysis section have none.
  const required = requirePass ?? experiment.analysis?.require?.pass ?? null
  const { passed, judged } = passesOf(journal, knownMetrics.passed)
  return judged === 0 && required === null ? null : { passed, judged, required }
}

/** Completed runs none of which has what the experiment measures. A rehearsal only asks for the cost. */
function unansweredBy({ journal }: Session, { experiment }: Work): string | null {
  if (experiment.calls?.rehearse === true) return null
  const primary = experiment.metrics.find(metric => metric.primary)
  const problem = primary === undefined ? null : metricProblem(journal, primary.name)
  return problem === null ? null : `no run has a value of ${primary?.name}, the primary metric; e.g. ${problem}`
}
