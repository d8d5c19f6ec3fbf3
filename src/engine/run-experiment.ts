import { dialectNamed } from '../define/dialects/registry.ts'
import { plannerFor } from '../plan/planners/registry.ts'
import { logEvent, readExperiment } from '../record/journal/experiment-row.ts'
import { keepConfiguration, makeExperimentDirectory } from '../record/places.ts'
import { standingReader } from '../record/read/runs.ts'
import { outsideDefinition, standing } from '../record/read/standing.ts'
import { AssayError, messageOf } from '../util/errors.ts'
import { rateNotes } from './foresight.ts'
import { runHook } from './prepare/hooks.ts'
import { refuseMissingInputs, reopenLostOutputs } from './prepare/inputs-and-outputs.ts'
import { prepareJournal } from './prepare/prepare.ts'
import { noteProgramChange } from './prepare/program-change.ts'
import { refuseUnready } from './prepare/refuse-unready.ts'
import type { RunRequest, Surroundings, WorkEnd } from './request.ts'
import { type Session, withSession } from './session/session.ts'
import { withCleanup } from './session/with-cleanup.ts'
import { workUntilDone } from './work.ts'

/** `assay run`: makes every run of the experiment that is missing, and says how it stands. */
export async function runExperiment(request: RunRequest, around: Surroundings): Promise<WorkEnd> {
  const { experiment, dir, executor } = request
  const refused = dialectNamed(experiment.dialect).refuses?.(around.env) ?? null
  if (refused !== null) throw new AssayError('usage', refused.message, { hint: refused.hint })
  const planner = plannerFor(experiment, request.plan)
  // Counting finds a filter that matches nothing: then nothing is made.
  planner.count()
  refuseMissingInputs(request, around.cwd)
  makeExperimentDirectory(dir)
  return withSession({ dir, kind: 'run', executor, limits: experiment.limits, around }, async session => {
    const { fingerprint, limits } = prepareJournal(session.journal, request, planner, around)
    if (request.isGiven) keepConfiguration(dir, experiment)
    if (request.mode !== 'score') announceLostOutputs(session, request, around.clock.now())
    executor.resize(limits.jobs)
    const { completed: reused, pending } = standing(session.journal, dir, { scope: 'call' })
    const notes = new Set([
      ...(experiment.notes ?? []),
      ...(dialectNamed(experiment.dialect).notes?.(experiment, { isEndless: planner.count() === null }) ?? []),
      ...(request.target.notes?.(request.spec, experiment) ?? []),
      ...rateNotes(limits, experiment, request.bound()),
    ])
    for (const message of notes) session.emit({ kind: 'notice', level: 'warning', message })
    const changed = noteProgramChange(session.journal, request, reused)
    if (changed !== null) session.emit({ kind: 'notice', level: 'warning', message: changed })
    const { foreign } = outsideDefinition(session.journal)
    if (foreign > 0) session.emit({ kind: 'notice', level: 'warning', message: alsoHolds(foreign) })
    const { planned = null, planner_done = 0 } = readExperiment(session.journal) ?? {}
    const most = planner.most?.() ?? null
    session.emit({
      kind: 'started',
      name: experiment.name,
      dir,
      planned,
      ...(planned === null && most !== null && { at_most: most }),
      reused,
      to_run: pending,
      jobs: executor.slots,
    })
    const { failFast, bound, requirePass, mode } = request
    const common = { experiment, fingerprint, bound, failFast, reused, requirePass, mode }
    const work = { ...common, kind: 'run', slots: null, count: null } as const
    // Where only the future can tell how many, none may be waiting yet.
    if (pending === 0 && (planned !== null || planner_done === 1)) return workUntilDone(session, work, around)
    // What only runs need, such as the agent's program, is not asked for to score what they left.
    if (mode !== 'score') await refuseUnready(request, limits, completedBefore(session, fingerprint))
    return withCleanup(
      async () => {
        await runHook('setup', experiment, dir, around.interrupts)
        return workUntilDone(session, work, around)
      },
      () => runHook('cleanup', experiment, dir, around.interrupts),
      error => session.emit({ kind: 'notice', level: 'warning', message: messageOf(error) }),
    )
  })
}

function completedBefore({ journal }: Session, fingerprint: string): (key: string) => boolean {
  const standingOf = standingReader(journal, fingerprint)
  return key => standingOf(key)?.state === 'completed'
}

const alsoHolds = (runs: number): string =>
  `this directory also holds ${runs} ${runs === 1 ? 'run' : 'runs'} of another definition, which do not count: is it another experiment of the same name? --exp-name gives it another`

function announceLostOutputs(session: Session, request: RunRequest, now: number): void {
  const lost = reopenLostOutputs(session.journal, session.dir, request.experiment.outputs)
  const [first] = lost
  if (first === undefined) return
  logEvent(session.journal, 'outputs_lost', { runs: lost.map(({ run, path }) => ({ run, path })) }, now)
  const what = lost.length === 1 ? 'a completed run lost' : `${lost.length} completed runs lost`
  const message = `${what} a declared output and will run again: ${first.run} has no ${first.path}`
  session.emit({ kind: 'notice', level: 'warning', message })
}
